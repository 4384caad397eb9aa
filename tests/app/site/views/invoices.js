// The invoices: filter, pages, what a row offers, and the totals that a worker adds up.
import { call } from '../api.js';
import { day, euro, h, toast } from '../dom.js';
import { fault } from '../fault.js';
import { invoiceDialog } from './invoice_dialog.js';

const pageSize = 10;

export async function invoicesView({ page, go }) {
  const worker = new Worker('/totals_worker.js', { type: 'module' });
  const state = { found: [], at: 0, asked: 0, csv: null, totals: 0 };

  const search = h('input', { type: 'search', placeholder: 'Number, customer, city or note', 'aria-label': 'Search invoices', oninput: () => { state.at = 0; load(); } });
  const status = h('select', { 'aria-label': 'Status', onchange: () => { state.at = 0; load(); } },
    h('option', { value: '' }, 'Every status'), ['Draft', 'Open', 'Overdue', 'Approved', 'Paid'].map(name => h('option', {}, name)));
  const body = h('tbody', {}), count = h('span', { class: 'muted' }), place = h('span', {}, '');
  const previous = h('button', { onclick: () => { state.at -= 1; draw(); } }, 'Previous'), next = h('button', { onclick: () => { state.at += 1; draw(); } }, 'Next');
  const total = { outstanding: h('dd', { 'data-testid': 'total-outstanding' }, '…'), overdue: h('dd', {}, '…'), approved: h('dd', { 'data-testid': 'total-approved' }, '…') };
  const exported = h('span', { class: 'exported' }), shown = h('td', { class: 'amount', 'data-testid': 'total-shown' });

  page.replaceChildren(
    h('header', {}, h('h1', {}, 'Invoices'), h('div', { class: 'actions' }, exported, h('button', { onclick: exportCsv }, 'Export CSV'),
      h('button', { class: 'primary', onclick: () => invoiceDialog({ changed }) }, 'New invoice'))),
    h('dl', { class: 'figures' },
      h('div', {}, h('dt', {}, 'Outstanding'), total.outstanding), h('div', { class: 'bad' }, h('dt', {}, 'Overdue'), total.overdue),
      h('div', { class: 'good' }, h('dt', {}, 'Approved for payment'), total.approved)),
    h('section', { class: 'card', 'aria-label': 'Invoice list' },
      h('div', { class: 'filters' }, search, status, count),
      h('table', { 'aria-label': 'Invoices' },
        h('thead', {}, h('tr', {}, ['Invoice', 'Customer', 'Due', 'Amount', 'Status', 'Actions'].map(name => h('th', { scope: 'col', class: name === 'Amount' ? 'amount' : null }, name)))),
        body,
        h('tfoot', {}, h('tr', {}, h('td', { colspan: '3' }, 'Sum of this list'), shown, h('td', { colspan: '2' })))),
      h('nav', { class: 'pages', 'aria-label': 'Pages' }, previous, place, next)));

  worker.onmessage = ({ data }) => {
    if (data.number !== state.totals) return;
    state.csv = data.csv;
    for (const name of ['outstanding', 'overdue', 'approved']) total[name].textContent = euro(data[name]);
    shown.textContent = euro(data.shown);
  };

  async function load() {
    const asked = ++state.asked, query = new URLSearchParams({ q: search.value, status: status.value });
    const found = await call('GET', `/api/invoices?${query}`);
    if (asked !== state.asked) return;  // a later question is on its way
    state.found = found;
    exported.replaceChildren();
    worker.postMessage({ number: ++state.totals, invoices: found });
    draw();
  }

  function draw() {
    const pages = Math.max(1, Math.ceil(state.found.length / pageSize));
    state.at = Math.min(state.at, pages - 1);
    const rows = state.found.slice(state.at * pageSize, (state.at + 1) * pageSize);
    body.replaceChildren(...rows.map(row), rows.length ? '' : h('tr', {}, h('td', { colspan: '6', class: 'nothing' }, 'No invoice is like that.')));
    count.textContent = state.found.length === 1 ? '1 invoice' : `${state.found.length} invoices`;
    place.textContent = `Page ${state.at + 1} of ${pages}`;
    previous.disabled = state.at === 0;
    next.disabled = state.at === pages - 1;
  }

  const row = invoice => h('tr', {},
    h('th', { scope: 'row' }, h('button', { class: 'link', onclick: () => invoiceDialog({ invoice, changed }) }, invoice.id)),
    h('td', {}, invoice.customerName, h('small', {}, invoice.city)),
    h('td', {}, day(invoice.due)),
    h('td', { class: 'amount' }, euro(invoice.amount)),
    h('td', {}, h('span', { class: `badge ${invoice.status.toLowerCase()}`, 'data-testid': `status-${invoice.id}` }, invoice.status)),
    h('td', { class: 'row-actions' },
      ['Draft', 'Open', 'Overdue'].includes(invoice.status) ? h('button', { onclick: () => approve(invoice) }, 'Approve') : null,
      invoice.status === 'Approved' ? h('button', { onclick: () => go(`/pay/${invoice.id}`) }, 'Pay') : null));

  async function approve(invoice) {
    if (fault('dead-button')) return;
    try {
      await call('PUT', `/api/invoices/${invoice.id}`, { status: 'Approved' });
      if (!fault('stale-status')) await load();
      toast(`${invoice.id} approved`);
    } catch (error) {
      toast(error.message);
    }
  }

  async function changed(text) {
    await load();
    toast(text);
  }

  function exportCsv() {
    if (!state.csv) return;
    const blob = new Blob([state.csv], { type: 'text/csv' });
    exported.replaceChildren(h('a', { href: URL.createObjectURL(blob), download: 'invoices.csv' }, 'Download invoices.csv'), ` · ${state.found.length} rows, ${blob.size} bytes`);
  }

  await load();
  return () => worker.terminate();
}
