// The app's REST interface. A route is (exchange, ...captures) => void; an exchange is {session, sessions, mutant, payOrigin, url, body, json(value, status?)}.
import { card, credentials, customers, today } from './seed.mjs';
import { customerOf, shown } from './sessions.mjs';

const statuses = ['Draft', 'Open', 'Overdue', 'Approved', 'Paid'];

/// [method, path, handler, needs a signed-in user]
export const api = [
  ['GET', /^\/api\/session$/, ({ session, json }) => json({ user: session.user, today })],
  ['POST', /^\/api\/sign-in$/, signIn],
  ['POST', /^\/api\/sign-in\/code$/, confirmCode],
  ['POST', /^\/api\/sign-out$/, ({ session, json }) => { session.user = null; json({}); }],
  ['GET', /^\/api\/customers$/, ({ json }) => json(customers), true],
  ['GET', /^\/api\/invoices$/, list, true],
  ['POST', /^\/api\/invoices$/, create, true],
  ['GET', /^\/api\/invoices\/(INV-\d+)$/, withInvoice(({ json }, invoice) => json(shown(invoice))), true],
  ['PUT', /^\/api\/invoices\/(INV-\d+)$/, withInvoice(change), true],
  ['DELETE', /^\/api\/invoices\/(INV-\d+)$/, withInvoice(remove), true],
  ['POST', /^\/api\/payments$/, openPayment, true],
  ['POST', /^\/api\/payments\/([\w-]+)\/settle$/, settle, true],
];

function signIn({ session, body, json }) {
  session.awaitingCode = body.email === credentials.email && body.password === credentials.password;
  if (!session.awaitingCode) return json({ error: 'This email and password do not belong together.' }, 401);
  json({ next: 'code' });
}

function confirmCode({ session, mutant, body, json }) {
  if (!session.awaitingCode) return json({ error: 'Sign in with your password first.' }, 409);
  if (String(body.code).replaceAll(' ', '') !== credentials.code) return json({ error: 'That code is not right. Codes have six digits.' }, 401);
  session.awaitingCode = false;
  if (mutant !== 'login-loop') session.user = { name: mutant === 'wrong-user' ? 'Grace Hopper' : credentials.name, email: credentials.email };
  json({ user: session.user });
}

function list({ session, mutant, url, json }) {
  const status = url.searchParams.get('status'), words = (url.searchParams.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const found = [...session.invoices.values()].map(shown).filter(one => {
    const text = `${one.id} ${one.customerName} ${one.city} ${one.note}`.toLowerCase();
    return (!status || mutant === 'filter-ignored' || one.status === status) && words.every(word => text.includes(word));
  });
  json(mutant === 'missing-row' ? found.slice(0, -1) : found);
}

/// The fields of an invoice that came from outside, checked: {error} or {fields}.
function checked(body, all) {
  const fields = {}, wanted = all ? ['customer', 'amount', 'due'] : [];
  for (const name of ['customer', 'amount', 'due', 'note', 'status']) if (body[name] !== undefined) fields[name] = body[name];
  const missing = wanted.filter(name => fields[name] === undefined || fields[name] === '');
  if (missing.length) return { error: `Please give ${missing.join(', ')}.` };
  if ('customer' in fields && !customers.some(one => one.id === fields.customer)) return { error: `There is no customer ${fields.customer}.` };
  if ('amount' in fields && !(Number.isSafeInteger(fields.amount) && fields.amount > 0)) return { error: 'The amount must be more than nothing.' };
  if ('due' in fields && !/^\d{4}-\d{2}-\d{2}$/.test(fields.due)) return { error: 'The due date must be a date.' };
  if ('status' in fields && !statuses.includes(fields.status)) return { error: `There is no status ${fields.status}.` };
  return { fields };
}

function create({ session, body, json }) {
  const { error, fields } = checked(body, true);
  if (error) return json({ error }, 400);
  const invoice = { note: '', status: 'Draft', ...fields, id: `INV-${session.nextInvoice++}` };
  session.invoices.set(invoice.id, invoice);
  json(shown(invoice), 201);
}

function withInvoice(handler) {
  return (exchange, id) => {
    const invoice = exchange.session.invoices.get(id);
    if (!invoice) return exchange.json({ error: `There is no invoice ${id}.` }, 404);
    handler(exchange, invoice);
  };
}

function change({ session, mutant, body, json }, invoice) {
  const { error, fields } = checked(body, false);
  if (error) return json({ error }, 400);
  let changed = invoice;
  if (mutant === 'wrong-row') changed = [...session.invoices.values()].find(one => customerOf(one).name === customerOf(invoice).name && one.status === invoice.status);
  Object.assign(changed, fields);
  json(shown(changed));
}

function remove({ session, mutant, json }, invoice) {
  if (mutant !== 'delete-kept') session.invoices.delete(invoice.id);
  json(null, 204);
}

function openPayment({ session, sessions, payOrigin, body, json }) {
  const invoice = session.invoices.get(body.invoice);
  if (!invoice) return json({ error: `There is no invoice ${body.invoice}.` }, 404);
  if (invoice.status !== 'Approved') return json({ error: `${invoice.id} is ${invoice.status.toLowerCase()}; only approved invoices are paid.` }, 409);
  const payment = sessions.openPayment(session, invoice);
  json({ id: payment.id, invoice: shown(invoice), frame: `${payOrigin}/frame?payment=${payment.id}` }, 201);
}

function settle({ session, sessions, json }, id) {
  const payment = sessions.payment(id);
  if (payment?.session !== session) return json({ error: 'There is no such payment.' }, 404);
  if (payment.state !== 'accepted') return json({ error: 'The provider has not accepted this payment.' }, 409);
  const invoice = session.invoices.get(payment.invoice);
  if (!invoice) return json({ error: `${payment.invoice} was deleted meanwhile.` }, 409);
  invoice.status = 'Paid';
  json(shown(invoice));
}

/// What the payment provider's own origin answers; it knows payments, not sessions.
export const payApi = [
  ['GET', /^\/payments\/([\w-]+)$/, ({ sessions, mutant, json }, id) => {
    const payment = sessions.payment(id);
    if (!payment) return json({ error: 'This payment is not known. Open it from your invoice again.' }, 404);
    json({ invoice: payment.invoice, amount: payment.amount * (mutant === 'wrong-amount' ? 100 : 1), state: payment.state });
  }],
  ['POST', /^\/payments\/([\w-]+)\/charge$/, ({ sessions, mutant, body, json }, id) => {
    const payment = sessions.payment(id), digits = String(body.number ?? '').replaceAll(' ', '');
    if (!payment) return json({ error: 'This payment is not known. Open it from your invoice again.' }, 404);
    if (!body.holder || !/^\d{16}$/.test(digits) || !/^\d\d\/\d\d$/.test(body.expiry) || !/^\d{3}$/.test(body.code)) return json({ error: 'Please check the card details.' }, 400);
    if (mutant === 'payment-declined' || digits !== card.number.replaceAll(' ', '')) return json({ error: 'The card was declined.' }, 402);
    Object.assign(payment, { state: 'accepted', receipt: `R${payment.invoice.slice(4)}` });
    json({ state: payment.state, receipt: payment.receipt });
  }],
];
