// The demo's session: what an agent does on the demo app through `browx mcp`, four acceptance criteria long.
import { Server } from '../support/browx.mjs';
import { card, credentials } from '../app/server/seed.mjs';

/// What must appear nowhere, by the name under which the flow and the spec ask for it again.
export const secrets = {
  PASSWORD: credentials.password, ONE_TIME_CODE: credentials.code,
  CARD_NUMBER: card.number, CARD_EXPIRY: card.expiry, CARD_CODE: card.code,
};

export const criteria = {
  'AC-1': 'A known user signs in with password and one-time code',
  'AC-2': 'One of two customers with the same name is told apart, approved and added up',
  'AC-3': 'Deleting an invoice asks first, and support knows that it is gone',
  'AC-4': 'An approved invoice is paid by card in the provider\'s frame',
};

/// Records the session on `app` with the program `bin`: {file, yaml}. `tell(tool, arguments, milliseconds)` hears of every call.
export async function record({ bin, workspace, app, tell = () => {} }) {
  const server = await Server.start({ bin, workspace, capabilities: 'read,navigation,action,human,replay,secrets' });
  try {
    const step = async (tool, args = {}) => {
      const began = performance.now(), answer = await server.ok(tool, args);
      tell(tool, args, performance.now() - began);
      return answer;
    };
    await step('open_session', { session: 'default', viewport: { width: 1280, height: 800 } });
    for (const [name, value] of Object.entries(secrets)) await server.ok('register_secret', { name, value });
    await step('start_recording', { flowName: 'Approve and pay invoices', replay: { tier: 'replay' } });
    await drive(step, server, app);

    const ended = await step('end_recording');
    return { file: ended.replay.absolutePath, yaml: ended.yaml };
  } catch (error) {
    error.message += server.stderr ? `\nbrowx mcp said:\n${server.stderr}` : '';
    throw error;
  } finally {
    await server.close();
  }
}

async function drive(step, server, app) {
  const criterion = async (label, work) => {
    await step('record_annotate', { label, phase: 'start', copy: criteria[label] });
    await work();
    await step('record_annotate', { label, phase: 'end' });
  };
  const row = id => `tr:has-text("${id}")`, status = id => `[data-testid="status-${id}"]`;
  const verifyStatus = (id, text) => step('verify_text', { selector: status(id), text, exact: true });

  await step('navigate', { url: `${app.url}/` });

  await criterion('AC-1', async () => {
    await step('fill', { selector: 'role=textbox[name="Email"]', value: credentials.email });
    await step('fill', { selector: 'role=textbox[name="Password"]', value: '<PASSWORD>' });
    await step('click', { selector: 'role=button[name="Continue"]' });
    await step('fill', { selector: 'role=textbox[name="One-time code"]', value: '<ONE_TIME_CODE>' });
    await step('click', { selector: 'role=button[name="Sign in"]' });
    await step('verify_visible', { selector: 'role=heading[name="Invoices"]' });
    await step('verify_text', { selector: '[data-testid="signed-in-user"]', text: 'Ada Lovelace', exact: true });
  });

  await criterion('AC-2', async () => {
    await step('fill', { selector: 'role=searchbox[name="Search invoices"]', value: 'Northwind' });
    await step('verify_count', { selector: 'role=rowheader', n: 5 });
    await step('select', { selector: 'role=combobox[name="Status"]', values: ['Open'] });
    await step('verify_count', { selector: 'role=rowheader', n: 3 });
    await step('verify_text', { selector: '[data-testid="total-shown"]', text: '€5,800.75', exact: true });
    await step('select', { selector: 'role=combobox[name="Status"]', values: ['Every status'] });
    await step('verify_count', { selector: 'role=rowheader', n: 5 });
    await step('click', { selector: `${row('INV-1012')} >> role=button[name="Approve"]` });
    await verifyStatus('INV-1012', 'Approved');
    await verifyStatus('INV-1007', 'Open');
    await step('verify_text', { selector: '[data-testid="total-approved"]', text: '€2,310.00', exact: true });
  });

  await criterion('AC-3', async () => {
    await step('fill', { selector: 'role=searchbox[name="Search invoices"]', value: 'Fournier' });
    await step('click', { selector: 'role=button[name="INV-1010"]' });
    await step('set_dialog_policy', { mode: 'dismiss' });
    await step('click', { selector: 'role=button[name="Delete invoice"]' });
    await step('verify_text', { selector: 'role=status', text: 'INV-1010 kept' });
    await step('verify_visible', { selector: 'role=dialog[name="Invoice INV-1010"]' });
    await step('set_dialog_policy', { mode: 'accept' });
    await step('click', { selector: 'role=button[name="Delete invoice"]' });
    await step('verify_text', { selector: 'role=status', text: 'INV-1010 deleted' });
    await step('verify_count', { selector: 'role=rowheader', n: 2 });
    await step('set_dialog_policy', { mode: 'raise' });
    await step('click', { selector: 'role=link[name="Messages"]' });
    await step('wait_for', { text: 'Support is here' });
    await step('fill', { selector: 'role=textbox[name="Message"]', value: 'What became of INV-1010?' });
    await step('click', { selector: 'role=button[name="Send"]' });
    await step('verify_text', { selector: 'role=log[name="Conversation"]', text: 'There is no invoice INV-1010 in your books.' });
  });

  await step('click', { selector: 'role=link[name="Invoices"]' });
  await step('click', { selector: `${row('INV-1003')} >> role=button[name="Pay"]` });
  await step('wait_for', { text: 'Card number' });

  // From here on everything is in the frame of another site, and found as an agent finds it: by the refs of one snapshot.
  const tree = await server.snapshot();
  const ref = (role, name) => {
    const line = tree.split('\n').find(one => one.includes(`${role} ${JSON.stringify(name)} `)), found = /\[ref=(e\d+)\]/.exec(line ?? '')?.[1];
    if (!found) throw new Error(`no ${role} ${JSON.stringify(name)} in the snapshot:\n${tree}`);
    return found;
  };
  await criterion('AC-4', async () => {
    await step('verify_text', { selector: '[data-testid="amount"]', text: '€480.00', exact: true });
    await step('fill', { ref: ref('textbox', 'Name on card'), value: card.holder });
    await step('fill', { ref: ref('textbox', 'Card number'), value: '<CARD_NUMBER>' });
    await step('fill', { ref: ref('textbox', 'Expires'), value: '<CARD_EXPIRY>' });
    await step('fill', { ref: ref('textbox', 'Security code'), value: '<CARD_CODE>' });
    await step('click', { ref: ref('button', 'Pay €480.00') });
    await step('verify_text', { selector: 'text=accepted', text: 'Payment of €480.00 accepted. Receipt R1003.', exact: true });
  });

  await step('verify_text', { selector: '[data-testid="payment-state"]', text: 'Paid', exact: true });
}
