// Tally's shell: who is signed in, the navigation, and which view stands at which address.
import { call } from './api.js';
import { h, toast } from './dom.js';
import { invoicesView } from './views/invoices.js';
import { messagesView } from './views/messages.js';
import { payView } from './views/pay.js';
import { signInView } from './views/sign_in.js';

const root = document.getElementById('app');
let leave = null;  // what the view on show has to end: a socket, a listener

const views = [
  [/^\/(?:invoices)?$/, 'Invoices', invoicesView],
  [/^\/messages$/, 'Messages', messagesView],
  [/^\/pay\/(INV-\d+)$/, 'Pay', payView],
];

/// Goes to another view of the app.
export function go(path) {
  history.pushState(null, '', path);
  toast('');
  return show();
}

async function show() {
  leave?.();
  leave = null;
  document.getElementById('over').replaceChildren();
  const session = await call('GET', '/api/session');
  if (!session.user) {
    document.title = 'Sign in · Tally';
    root.replaceChildren(signInView({ done: () => go('/invoices') }));
    return;
  }
  const view = views.find(([pattern]) => pattern.test(location.pathname)) ?? views[0], match = view[0].exec(location.pathname) ?? [];
  document.title = `${view[1]} · Tally`;
  const page = h('main', {});
  root.replaceChildren(shell(session, view[1], page));
  leave = await view[2]({ page, session, go }, ...match.slice(1)) ?? null;
}

function shell(session, current, page) {
  const link = (name, path, icon) => h('a', {
    href: path, 'aria-current': name === current ? 'page' : null, onclick: event => { event.preventDefault(); go(path); },
  }, h('i', { class: `icon ${icon}`, 'aria-hidden': 'true' }), name);
  return h('div', { class: 'shell' },
    h('aside', {},
      h('div', { class: 'brand' }, h('img', { src: '/tally.svg', alt: '' }), 'Tally'),
      h('nav', { 'aria-label': 'Main' }, link('Invoices', '/invoices', 'invoices'), link('Messages', '/messages', 'messages')),
      h('div', { class: 'user' },
        h('span', { class: 'avatar', 'aria-hidden': 'true' }, session.user.name.split(' ').map(part => part[0]).join('')),
        h('span', { 'data-testid': 'signed-in-user' }, session.user.name),
        h('button', { class: 'quiet', onclick: async () => { await call('POST', '/api/sign-out'); go('/'); } }, 'Sign out'))),
    page);
}

addEventListener('popstate', show);
show();
