// The support chat's server side: one answer for every message, worked out from the session's own invoices.
import { accept } from '../../support/websocket.mjs';
import { shown } from './sessions.mjs';

const euro = new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' });

export function chat(request, socket, session, mutant) {
  const ws = accept(request, socket, {
    message(data) {
      let message;
      try { message = JSON.parse(data.toString('utf8')); } catch { return ws.close(1003); }
      const said = String(message.text ?? '').slice(0, 500), answered = mutant === 'wrong-chat-echo' ? session.previousMessage : said;
      session.previousMessage = said;
      ws.send(JSON.stringify({ from: 'Support', text: answer(answered, session) }));
    },
  });
  ws.send(JSON.stringify({ from: 'Support', text: 'Hello! Ask me about an invoice by its number.' }));
}

function answer(text, session) {
  const id = /\bINV-\d+\b/i.exec(text)?.[0].toUpperCase();
  if (!id) return 'I did not find an invoice number in your message. Numbers look like INV-1001.';
  const invoice = session.invoices.get(id);
  if (!invoice) return `There is no invoice ${id} in your books.`;
  const { customerName, city, status, amount } = shown(invoice);
  return `${id} for ${customerName}, ${city}, is ${status.toLowerCase()}: ${euro.format(amount / 100)}.`;
}
