// One bookkeeping for every cookie, so that two tests at once do not see each other.
import { randomUUID } from 'node:crypto';

import { customers, invoices } from './seed.mjs';

const fresh = id => ({
  id, user: null, awaitingCode: false, previousMessage: '',
  invoices: new Map(invoices.map(one => [one.id, { ...one }])), nextInvoice: 1000 + invoices.length + 1,
});

export class Sessions {
  #byCookie = new Map();
  #payments = new Map();

  /// The session of a request's cookie, or a new one: {session, cookie?} where `cookie` is what the answer has to set.
  of(request) {
    const id = /(?:^|;\s*)sid=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1], found = this.#byCookie.get(id);
    if (found) return { session: found };
    const session = fresh(randomUUID());
    this.#byCookie.set(session.id, session);
    return { session, cookie: `sid=${session.id}; HttpOnly; Path=/; SameSite=Lax` };
  }

  /// The first state again, signed out.
  reset(session) { Object.assign(session, fresh(session.id)); }

  openPayment(session, invoice) {
    const payment = { id: randomUUID(), session, invoice: invoice.id, amount: invoice.amount, state: 'open', receipt: null };
    this.#payments.set(payment.id, payment);
    return payment;
  }
  payment(id) { return this.#payments.get(id) ?? null; }
}

export const customerOf = invoice => customers.find(one => one.id === invoice.customer);
export const shown = invoice => ({ ...invoice, customerName: customerOf(invoice).name, city: customerOf(invoice).city });
