// One invoice in a modal: looked at, changed, made or deleted.
import { call } from '../api.js';
import { field, h, toast } from '../dom.js';
import { fault } from '../fault.js';

/// Opens the dialog for `invoice`, or for a new one; `changed(text)` is called when the books have changed.
export async function invoiceDialog({ invoice, changed }) {
  const over = document.getElementById('over'), app = document.getElementById('app'), before = document.activeElement;
  const customers = await call('GET', '/api/customers');
  const problem = h('p', { class: 'problem', role: 'alert' });
  const customer = h('select', { name: 'customer' }, invoice ? null : h('option', { value: '' }, 'Choose…'),
    customers.map(one => h('option', { value: one.id, selected: one.id === invoice?.customer }, `${one.name} (${one.city})`)));
  const amount = h('input', { name: 'amount', inputmode: 'decimal', value: invoice ? (invoice.amount / 100).toFixed(2) : '', autocomplete: 'off' });
  const due = h('input', { type: 'date', name: 'due', value: invoice?.due ?? '' });
  const note = h('textarea', { name: 'note', rows: '3' }, invoice?.note ?? '');

  const close = () => {
    over.replaceChildren();
    app.inert = false;
    before?.focus();
  };
  const attempt = async (work, text) => {
    try {
      const answer = await work();
      close();
      await changed(text(answer));
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const save = event => {
    event.preventDefault();
    const fields = { customer: customer.value, amount: Math.round(Number(amount.value.replace(',', '.')) * 100), due: due.value, note: note.value };
    if (!Number.isFinite(fields.amount)) { problem.textContent = 'The amount must be a number.'; return; }
    if (invoice) attempt(() => call('PUT', `/api/invoices/${invoice.id}`, fields), () => `${invoice.id} saved`);
    else attempt(() => call('POST', '/api/invoices', fields), made => `${made.id} created`);
  };
  const remove = () => {
    if (!fault('no-confirm') && !confirm(`Delete ${invoice.id} for good?`)) return toast(`${invoice.id} kept`);
    attempt(() => call('DELETE', `/api/invoices/${invoice.id}`), () => `${invoice.id} deleted`);
  };

  const box = h('form', { class: 'dialog', role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': 'dialog-title', novalidate: true, onsubmit: save },
    h('header', {}, h('h2', { id: 'dialog-title' }, invoice ? `Invoice ${invoice.id}` : 'New invoice'),
      h('button', { type: 'button', class: 'quiet', 'aria-label': 'Close', onclick: close }, '×')),
    field('Customer', customer),
    h('div', { class: 'pair' }, field('Amount in euro', amount), field('Due', due)),
    field('Note', note), problem,
    h('footer', {}, invoice ? h('button', { type: 'button', class: 'danger', onclick: remove }, 'Delete invoice') : null,
      h('button', { type: 'button', onclick: close }, 'Cancel'), h('button', { class: 'primary' }, 'Save')));
  box.addEventListener('keydown', event => { if (event.key === 'Escape') close(); });
  app.inert = true;
  over.replaceChildren(h('div', { class: 'shade' }, box));
  amount.focus();
}
