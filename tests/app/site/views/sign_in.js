// Signing in: email and password first, then the one-time code.
import { call } from '../api.js';
import { field, h } from '../dom.js';

export function signInView({ done }) {
  const card = h('form', { class: 'card sign-in', novalidate: true, 'aria-label': 'Sign in' });
  const problem = h('p', { class: 'problem', role: 'alert' });
  const step = (send, ...content) => {
    problem.textContent = '';
    card.replaceChildren(h('div', { class: 'brand' }, h('img', { src: '/tally.svg', alt: '' }), 'Tally'), ...content, problem);
    card.onsubmit = async event => {
      event.preventDefault();
      try { await send(); } catch (error) { problem.textContent = error.message; }
    };
    card.querySelector('input').focus();
  };

  const email = h('input', { type: 'email', name: 'email', autocomplete: 'username', placeholder: 'you@company.example' });
  const password = h('input', { type: 'password', name: 'password', autocomplete: 'current-password' });
  const code = h('input', { type: 'text', name: 'code', inputmode: 'numeric', autocomplete: 'one-time-code', maxlength: '7' });

  const askForCode = () => step(
    async () => { await call('POST', '/api/sign-in/code', { code: code.value }); done(); },
    h('h1', {}, 'One more step'), h('p', { class: 'lead' }, 'Enter the six digits that your authenticator shows.'),
    field('One-time code', code), h('button', { class: 'primary' }, 'Sign in'));
  // The form has to stand in the document before its first field can have the focus.
  queueMicrotask(() => step(
    async () => { await call('POST', '/api/sign-in', { email: email.value, password: password.value }); askForCode(); },
    h('h1', {}, 'Sign in'), h('p', { class: 'lead' }, 'The books of a small company, tidy.'),
    field('Email', email), field('Password', password), h('button', { class: 'primary' }, 'Continue')));
  return h('div', { class: 'gate' }, card);
}
