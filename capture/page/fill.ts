// Filling fields: what the page does here, what trusted input does from outside, and what the control kept.

import {attached, inWords, isFrameElement} from './describe';
import {focusedElement} from './dom';
import {macrotask} from './frames';
import {rememberOnce} from './identity';
import {beginKeys, dateKeys, endKeys, nextKeys, putOptions, rangeKeys, selectKeys} from './keys';
import {prepare} from './prepare';
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

/** The last resort, and never silent: its events are not the browser's own. */
function tellByScript(element: Element): void {
  element.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
  element.dispatchEvent(new Event('change', {bubbles: true}));
}

const scripted = 'no key reaches that value in this control: script set it, and the page saw untrusted input and change events';

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

interface FillArgument {
  id: number;
  value: string;
  /** With it, `prepare` comes first and its refusal is the answer. */
  waitMs?: number;
  quick?: boolean;
}

/**
 * Makes the field ready for trusted input: focused, its text selected. `insert`: insert the value now; `clear`: delete
 * the selection; `keys`: strike `keys`; `set`: there is nothing to do.
 */
export async function fillBegin(argument: FillArgument): Promise<Record<string, unknown>> {
  const sensitive = isSensitive(attached(argument.id));
  if (argument.waitMs !== undefined) {
    const ready = await prepare({id: argument.id, for: 'fill', waitMs: argument.waitMs, quick: argument.quick ?? false});
    if ('refused' in ready) return {...ready, sensitive};
  }
  return {...beginFilling(attached(argument.id), argument), sensitive};
}

function beginFilling(element: Element, argument: FillArgument): Record<string, unknown> {
  if (isDisabled(element)) return {refused: 'disabled', detail: inWords(element)};
  if (isReadOnly(element)) return {refused: 'readonly', detail: inWords(element)};
  const current = shownValue(element, currentValue(element));
  if (element instanceof HTMLInputElement && formats[element.type] && !takes(element, argument.value))
    return {refused: 'bad-format', wanted: formats[element.type], current};
  if (isPickerField(element)) {
    if (argument.value === '' && element.value === '' && !hasBadInput(element)) return {how: 'set', current, multiline: false};
    const focused = focusedElement() === element;
    const keys = focusOn(element) ? keysFor(element, argument.value, focused) : null;
    return {how: 'keys', keys: keys ?? [], current, multiline: false};
  }
  if (isTextField(element)) {
    if (!focusOn(element)) return {refused: 'not-focusable', detail: inWords(element)};
    element.select();
    const how = argument.value === '' ? (element.value === '' && !hasBadInput(element) ? 'set' : 'clear') : 'insert';
    return {how, current, multiline: element instanceof HTMLTextAreaElement};
  }
  const host = editingHostOf(element);
  if (!host) return {refused: 'not-editable', detail: `${inWords(element)} takes no text`};
  if (!focusOn(host)) return {refused: 'not-focusable', detail: inWords(host)};
  selectContents(host);
  const empty = host.textContent === '' && !host.querySelector('img,video,input,hr,[contenteditable="false"]');
  const how = argument.value === '' ? (empty ? 'set' : 'clear') : 'insert';
  return {how, current, multiline: true};
}

function keysFor(input: HTMLInputElement, value: string, focused: boolean): string[] | null {
  if (input.type === 'color') return null;  // only its picker, a window of the browser, takes keys
  return beginKeys(input, input.type === 'range' ? rangeKeys(input, value) : dateKeys(input, value, focused));
}

function hasBadInput(element: HTMLInputElement | HTMLTextAreaElement): boolean {
  return element.validity.badInput;
}

/** What the control kept, after what its input set going at once; or `again`, more keys to strike first. */
export async function fillEnd(argument: {id: number; value: string}): Promise<Record<string, unknown>> {
  const element = attached(argument.id);
  const warnings: string[] = [];
  if (isPickerField(element)) {
    const again = nextKeys();
    if (again) return {again};
    if (!endKeys()) {
      // This world's own setter: what the page put on the element is not seen here.
      element.value = argument.value;
      tellByScript(element);
      warnings.push(scripted);
    }
  }
  await macrotask();
  const kept = currentValue(element);
  const wanted = argument.value.replace(/\r\n?/g, '\n');
  const same = sameText(element, kept, wanted);
  if (!same) warnings.push(difference(element, kept, wanted));
  return {value: shownValue(element, kept), same, warnings};
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

interface SelectArgument {
  id: number;
  values: string[];
  /** As in FillArgument. */
  waitMs?: number;
  quick?: boolean;
}

let choosing: HTMLOptionElement[] = [];

/** Chooses options by value or label; a disabled or missing one is refused before anything changes. Answers keys to strike. */
export async function selectBegin(argument: SelectArgument): Promise<Record<string, unknown>> {
  if (argument.waitMs !== undefined) {
    const ready = await prepare({id: argument.id, for: 'select', waitMs: argument.waitMs, quick: argument.quick ?? false});
    if ('refused' in ready) return {...ready};
  }
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
  const focused = focusOn(element);
  choosing = chosen;
  const changed = options.some(o => o.selected !== chosen.includes(o));
  if (!changed) return {changed, keys: []};
  return {changed, keys: (focused && (element.multiple || chosen.length) && beginKeys(element, selectKeys(element, chosen))) || []};
}

/** What is selected after the keys; or `again`, more of them. */
export async function selectEnd(argument: {id: number; changed: boolean}): Promise<Record<string, unknown>> {
  const element = attached(argument.id) as HTMLSelectElement;
  const again = nextKeys();
  if (again) return {again};
  const warnings: string[] = [];
  const chosen = choosing;
  choosing = [];
  if (!endKeys() && argument.changed) {
    putOptions(element, chosen);
    tellByScript(element);
    warnings.push(scripted);
  }
  await macrotask();
  const selected = [...element.selectedOptions];
  if (selected.length !== chosen.length || chosen.some(option => !option.selected))
    warnings.push(`the page changed the selection to ${JSON.stringify(selected.map(o => normalise(o.label))).slice(0, 200)}`);
  return {selected: selected.map(o => o.value), warnings};
}

export function focus(argument: {id: number}): {focused: boolean; sensitive: boolean} {
  const element = attached(argument.id);
  return {focused: focusOn(editingHostOf(element) ?? (element as HTMLElement)), sensitive: isSensitive(element)};
}

/** What the keyboard would reach; `{}` when that is the document at large. */
export function focused(): {id?: number; frame?: boolean; sensitive?: boolean} {
  const element = focusedElement();
  if (!element || element === document.body || element === document.documentElement) return {};
  return {id: rememberOnce(element), frame: isFrameElement(element), sensitive: isSensitive(element)};
}
