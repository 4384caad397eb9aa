// Paying one invoice: what is paid here, how it is paid in the provider's own frame.
import { call } from '../api.js';
import { day, euro, h, toast } from '../dom.js';

export async function payView({ page, go }, id) {
  const back = h('button', { onclick: () => go('/invoices') }, 'Back to invoices');
  let payment;
  try {
    payment = await call('POST', '/api/payments', { invoice: id });
  } catch (error) {
    page.replaceChildren(h('header', {}, h('h1', {}, `Pay ${id}`), back), h('section', { class: 'card' }, h('p', { class: 'problem', role: 'alert' }, error.message)));
    return null;
  }
  const { invoice, frame } = payment, state = h('dd', { 'data-testid': 'payment-state' }, invoice.status);
  page.replaceChildren(
    h('header', {}, h('h1', {}, `Pay ${invoice.id}`), back),
    h('div', { class: 'pay' },
      h('section', { class: 'card', 'aria-label': 'Summary' },
        h('dl', { class: 'summary' },
          h('dt', {}, 'Invoice'), h('dd', {}, invoice.id), h('dt', {}, 'Customer'), h('dd', {}, `${invoice.customerName}, ${invoice.city}`),
          h('dt', {}, 'Due'), h('dd', {}, day(invoice.due)), h('dt', {}, 'Note'), h('dd', {}, invoice.note || '–'),
          h('dt', {}, 'Amount'), h('dd', { class: 'large' }, euro(invoice.amount)), h('dt', {}, 'Status'), state)),
      h('section', { class: 'card frame', 'aria-label': 'Payment' }, h('iframe', { src: frame, title: 'Card payment' }))));

  const heard = async event => {
    if (event.origin !== new URL(frame).origin || event.data?.type !== 'payment-accepted') return;
    const settled = await call('POST', `/api/payments/${payment.id}/settle`);
    state.textContent = settled.status;
    toast(`${invoice.id} is paid`);
  };
  addEventListener('message', heard);
  return () => removeEventListener('message', heard);
}
