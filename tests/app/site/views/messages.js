// The chat with support, over a WebSocket.
import { h } from '../dom.js';

export function messagesView({ page, session }) {
  const log = h('div', { class: 'log', role: 'log', 'aria-label': 'Conversation' });
  const text = h('input', { 'aria-label': 'Message', placeholder: 'Ask about an invoice…', autocomplete: 'off' });
  const send = h('button', { class: 'primary', disabled: true }, 'Send'), presence = h('span', { class: 'muted' }, 'connecting…');
  const say = (from, words, own) => {
    log.append(h('div', { class: `message ${own ? 'own' : 'other'}` }, h('b', {}, from), h('p', {}, words)));
    log.scrollTop = log.scrollHeight;
  };

  page.replaceChildren(
    h('header', {}, h('h1', {}, 'Messages'), presence),
    h('section', { class: 'card chat', 'aria-label': 'Support' }, log,
      h('form', {
        class: 'compose', onsubmit: event => {
          event.preventDefault();
          if (!text.value.trim()) return;
          say(session.user.name, text.value, true);
          socket.send(JSON.stringify({ text: text.value }));
          text.value = '';
        },
      }, text, send)));

  const socket = new WebSocket(`ws://${location.host}/chat`);
  socket.onopen = () => { presence.textContent = 'Support is here'; send.disabled = false; };
  socket.onclose = () => { presence.textContent = 'Support has left'; send.disabled = true; };
  socket.onmessage = ({ data }) => { const message = JSON.parse(data); say(message.from, message.text, false); };
  return () => { socket.onclose = null; socket.close(); };
}
