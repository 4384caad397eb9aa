// The provider's page: shows what is to be paid, takes the card, tells the page around it when the card was accepted.
const id = new URLSearchParams(location.search).get('payment'), form = document.getElementById('card'), result = document.getElementById('result');
const euro = cents => new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' }).format(cents / 100);

async function call(method, path, body) {
  const response = await fetch(path, { method, headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body) }), answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

function say(text, kind) {
  result.textContent = text;
  result.className = kind;
}

try {
  const payment = await call('GET', `/payments/${encodeURIComponent(id)}`);
  document.getElementById('what').textContent = payment.invoice;
  document.querySelector('strong').textContent = euro(payment.amount);
  document.getElementById('pay').textContent = `Pay ${euro(payment.amount)}`;
  form.hidden = false;
  form.addEventListener('submit', async event => {
    event.preventDefault();
    try {
      const { receipt } = await call('POST', `/payments/${encodeURIComponent(id)}/charge`, Object.fromEntries(new FormData(form)));
      form.hidden = true;
      say(`Payment of ${euro(payment.amount)} accepted. Receipt ${receipt}.`, 'good');
      parent.postMessage({ type: 'payment-accepted', receipt }, '*');
    } catch (error) {
      say(error.message, 'bad');
    }
  });
} catch (error) {
  say(error.message, 'bad');
}
