// Filling fields: what the page does here, what trusted input does from outside, and what the control kept.

import {attached, inWords} from './describe';
import {focusedElement} from './dom';
import {nextFrame} from './frames';
import {isSensitive, shownValue} from './sensitive';
import {editingHostOf, isDisabled, isPickerField, isReadOnly, isTextField, readEditable} from './states';
import {normalise} from './text';

const formats: Record<string, string> = {
  date: 'YYYY-MM-DD', time: 'HH:MM or HH:MM:SS', 'datetime-local': 'YYYY-MM-DDTHH:MM', month: 'YYYY-MM', week: 'YYYY-Www',
  color: '#rrggbb', range: 'a number', number: 'a number',
};

/** Whether a field of that type takes the value as it stands; the browser's own judgement. */
function takes(input: HTMLInputElement, value: string): boolean {
  if (value === '') return input.type !== 'color' && input.type !== 'range';
  if (input.type === 'color') return /^#[0-9a-f]{6}$/i.test(value);
  const probe = document.createElement('input');
  probe.type = input.type === 'range' ? 'number' : input.type;
  probe.value = value;
  return probe.value !== '';
}

/** What is there now, unmasked. */
function currentValue(element: Element): string {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element.value;
  const host = editingHostOf(element);
  return host ? readEditable(host) : '';
}

function setNatively(input: HTMLInputElement, value: string): void {
  // This world's own setter: what the page put on the element is not seen here.
  input.value = value;
  input.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
  input.dispatchEvent(new Event('change', {bubbles: true}));
}

function focusOn(element: HTMLElement): boolean {
  if (focusedElement() !== element) element.focus({preventScroll: true});
  return focusedElement() === element;
}

function selectContents(host: HTMLElement): void {
  const range = document.createRange();
  range.selectNodeContents(host);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}

/**
 * Makes the field ready for trusted input: focused, its text selected. `insert`: insert the value now; `clear`: delete
 * the selection; `set`: done already, by the page itself.
 */
export function fillBegin(argument: {id: number; value: string}): Record<string, unknown> {
  const element = attached(argument.id);
  if (isDisabled(element)) return {refused: 'disabled', detail: inWords(element)};
  if (isReadOnly(element)) return {refused: 'readonly', detail: inWords(element)};
  const current = shownValue(element, currentValue(element));
  const sensitive = isSensitive(element);
  if (element instanceof HTMLInputElement && formats[element.type] && !takes(element, argument.value))
    return {refused: 'bad-format', wanted: formats[element.type], current};
  if (isPickerField(element)) {
    focusOn(element);
    setNatively(element, argument.value);
    return {how: 'set', current, sensitive, multiline: false};
  }
  if (isTextField(element)) {
    if (!focusOn(element)) return {refused: 'not-focusable', detail: inWords(element)};
    element.select();
    const how = argument.value === '' ? (element.value === '' && !hasBadInput(element) ? 'set' : 'clear') : 'insert';
    return {how, current, sensitive, multiline: element instanceof HTMLTextAreaElement};
  }
  const host = editingHostOf(element);
  if (!host) return {refused: 'not-editable', detail: `${inWords(element)} takes no text`};
  if (!focusOn(host)) return {refused: 'not-focusable', detail: inWords(host)};
  selectContents(host);
  const empty = host.textContent === '' && !host.querySelector('img,video,input,hr,[contenteditable="false"]');
  const how = argument.value === '' ? (empty ? 'set' : 'clear') : 'insert';
  return {how, current, sensitive, multiline: true};
}

function hasBadInput(element: HTMLInputElement | HTMLTextAreaElement): boolean {
  return element.validity.badInput;
}

/** What the control kept, one frame after the input. */
export async function fillEnd(argument: {id: number; value: string}): Promise<Record<string, unknown>> {
  await nextFrame();
  const element = attached(argument.id);
  const kept = currentValue(element);
  const wanted = argument.value.replace(/\r\n?/g, '\n');
  const warnings: string[] = [];
  if (!sameText(element, kept, wanted)) warnings.push(difference(element, kept, wanted));
  return {value: shownValue(element, kept), same: warnings.length === 0, warnings};
}

function sameText(element: Element, kept: string, wanted: string): boolean {
  if (kept === wanted) return true;
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    if (element instanceof HTMLInputElement && (element.type === 'color')) return kept === wanted.toLowerCase();
    return false;
  }
  // Editors write paragraphs (two line ends to innerText) and keep spaces as no-break spaces.
  const flat = (text: string) => text.replace(/\u00a0/g, ' ').replace(/\n+/g, '\n').replace(/\n$/, '');
  return flat(kept) === flat(wanted);
}

function difference(element: Element, kept: string, wanted: string): string {
  if (isSensitive(element)) return kept === '' ? 'the page emptied the field' : 'the field holds something other than what was filled in';
  if (kept === '') return 'the page emptied the field';
  const limit = (element as HTMLInputElement).maxLength;
  if (limit > 0 && wanted.startsWith(kept) && kept.length === limit)
    return `only the first ${limit} characters fit (maxlength)`;
  if (isSubsequence(kept, wanted) && kept.length < wanted.length)
    return normalise(kept) === normalise(wanted) ? 'white space was changed' : `characters were dropped: ${JSON.stringify(dropped(kept, wanted))}`;
  if (kept.toLowerCase() === wanted.toLowerCase()) return 'the page changed the case of letters';
  return `the page changed the text to ${JSON.stringify(kept.slice(0, 200))}`;
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const c of whole) if (c === part.charAt(at) || part.startsWith(c, at)) at += c.length;
  return at >= part.length;
}

/** The characters of `whole` that `part` misses. */
function dropped(part: string, whole: string): string {
  let at = 0, missing = '';
  for (const c of whole) {
    if (part.startsWith(c, at)) at += c.length;
    else missing += c;
  }
  return missing.slice(0, 100);
}

/** Chooses options by value or label; a disabled or missing one is refused before anything changes. */
export function select(argument: {id: number; values: string[]}): Record<string, unknown> {
  const element = attached(argument.id);
  if (!(element instanceof HTMLSelectElement))
    return {refused: 'not-a-select', detail: `${inWords(element)} is not a select element; click its options instead`};
  if (isDisabled(element)) return {refused: 'disabled', detail: inWords(element)};
  const options = [...element.options];
  const chosen: HTMLOptionElement[] = [];
  for (const wanted of argument.values) {
    const option = options.find(o => o.value === wanted) ?? options.find(o => normalise(o.label) === normalise(wanted)) ??
      options.find(o => normalise(o.text) === normalise(wanted));
    if (!option) {
      const some = options.slice(0, 10).map(o => JSON.stringify(normalise(o.label))).join(', ');
      return {refused: 'option-not-found', detail: `no option has the value or label ${JSON.stringify(wanted)}; there are ${some}${options.length > 10 ? ' …' : ''}`};
    }
    if (isDisabled(option)) return {refused: 'option-disabled', detail: `the option ${JSON.stringify(normalise(option.label))} is disabled`};
    chosen.push(option);
  }
  if (!element.multiple && chosen.length > 1)
    return {refused: 'option-not-found', detail: 'this select takes one option'};
  focusOn(element);
  const changed = options.some(o => o.selected !== chosen.includes(o));
  if (element.multiple || !chosen.length) for (const option of options) option.selected = chosen.includes(option);
  else chosen[0]!.selected = true;
  if (changed) {
    element.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
    element.dispatchEvent(new Event('change', {bubbles: true}));
  }
  return {selected: [...element.selectedOptions].map(o => o.value), changed};
}

export function focus(argument: {id: number}): {focused: boolean} {
  const element = attached(argument.id);
  return {focused: focusOn(editingHostOf(element) ?? (element as HTMLElement))};
}
