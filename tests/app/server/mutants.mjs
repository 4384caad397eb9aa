// The bugs that the app can be started with, one at a time: what a regression test of it has to notice.
//
// `says` is what a user would see; `breaks` the demo's criterion that must fail; `sign` what the failure must speak of, so that a test
// that fails for another reason is not counted.

export const mutants = {
  'login-loop': { says: 'the right one-time code leads back to the sign-in form', breaks: 'AC-1', sign: /heading.*Invoices/s },
  'wrong-user': { says: 'the signed-in user is shown as somebody else', breaks: 'AC-1', sign: /signed-in-user.*Grace Hopper/s },
  'missing-row': { says: 'the last invoice of every list is left out', breaks: 'AC-2', sign: /rowheader.*Expected: +5/s },
  'filter-ignored': { says: 'choosing a status changes nothing', breaks: 'AC-2', sign: /rowheader.*Expected: +3/s },
  'dead-button': { says: 'Approve does nothing', breaks: 'AC-2', sign: /status-INV-1012.*Expected: +\"Approved\"/s },
  'stale-status': { says: 'an approved invoice goes on saying Open', breaks: 'AC-2', sign: /status-INV-1012.*Expected: +\"Approved\"/s },
  'wrong-row': { says: 'Approve acts on the first invoice of a customer with the same name', breaks: 'AC-2', sign: /status-INV-1012.*Expected: +\"Approved\"/s },
  'wrong-total': { says: 'the worker forgets the last invoice when it adds up', breaks: 'AC-2', sign: /total-shown.*€5,800\.75/s },
  'no-confirm': { says: 'Delete does not ask before it deletes', breaks: 'AC-3', sign: /waiting for event "dialog"|status.*INV-1010 kept/s },
  'delete-kept': { says: 'a deleted invoice comes back', breaks: 'AC-3', sign: /rowheader.*Expected: +2/s },
  'wrong-chat-echo': { says: 'support answers the message before the last', breaks: 'AC-3', sign: /log.*There is no invoice INV-1010/s },
  'wrong-amount': { says: 'the payment frame asks for a hundred times the amount', breaks: 'AC-4', sign: /amount.*€480\.00.*€48,000\.00/s },
  'payment-declined': { says: 'every card is declined', breaks: 'AC-4', sign: /accepted/ },
};

/// The name itself, or an error naming the valid ones; an empty name means none.
export function checkMutant(name) {
  if (name && !Object.hasOwn(mutants, name)) throw new Error(`no mutant '${name}'; there are: ${Object.keys(mutants).join(', ')}`);
  return name || null;
}
