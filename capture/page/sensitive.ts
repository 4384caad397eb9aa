// Fields whose values leave the page for nobody. docs/masking.md describes the rules; keep the two alike.

import {allElements, renderedParent} from './dom';
import {labelsOf} from './labels';
import {styleOf} from './visible';
import {cache} from './caches';

export const maskedValue = '[masked value]';

const sensitiveAutocomplete =
  /(?:^|\s)(?:current-password|new-password|one-time-code|cc-number|cc-csc|cc-exp|cc-exp-month|cc-exp-year)(?:\s|$)/i;

// Words are compared in lower case with camelCase, digits and punctuation broken into single spaces.
const sensitiveWords = new RegExp([
  // passwords
  '(?:^| )(?:passwords?|passwd|pwd|passphrase|passcode|kennwort|passwort|contrasena|mot de passe)(?: |$)',
  // one-time codes
  '(?:^| )(?:otp|totp|one time (?:code|password|pin))(?: |$)',
  '(?:^| )(?:2 ?fa|mfa|two factor|sms|verification|security|auth(?:entication|enticator)?|login) code(?: |$)',
  '(?:^| )(?:einmalcode|einmalpasswort|sicherheitscode|bestatigungscode)(?: |$)',
  // card numbers, their checks and expiry
  '(?:^| )(?:credit |debit )?(?:card|cc) ?(?:number|num|no|nr)(?: |$)',
  '(?:^| )(?:kartennummer|kreditkartennummer|prufnummer)(?: |$)',
  '(?:^| )(?:cvc|cvv|csc|cvn)(?: ?2)?(?: |$)',
  '(?:^| )card (?:verification|security|code)(?: |$)',
  '(?:^| )(?:card|cc) ?exp(?:iry|iration|ires)?(?: |$)',
  // PINs, as the whole hint or after a word that can only mean one
  '(?:^|(?:^| )(?:enter|your|card|user|login|new|old|current|confirm|repeat) )pin(?: ?(?:code|number))?$',
].join('|'));

const textLike = new Set(['text', 'password', 'tel', 'number', 'search', 'email', 'url', 'month', 'date']);

/** "cardNumber_2" → "card number 2" */
export function words(text: string): string {
  return text.normalize('NFD').replace(/[\u0300-\u036f]/g, '').replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
    .replace(/([a-z])(?=\d)|(\d)(?=[a-z])/g, '$1$2 ').replace(/[^a-z0-9]+/g, ' ').trim();
}

const everPassword = new WeakSet<Element>();
const verdicts = cache<Element, boolean>();

/** True when the value of a field must be masked wherever it would appear. */
export function isSensitive(element: Element): boolean {
  if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return false;
  let verdict = verdicts.get(element);
  if (verdict === undefined) verdicts.set(element, (verdict = judge(element)));
  return verdict;
}

function judge(field: HTMLInputElement | HTMLTextAreaElement): boolean {
  // "Show password" buttons turn the field into a text field; it stays what it was.
  if (field.type === 'password') everPassword.add(field);
  if (everPassword.has(field)) return true;
  if (field instanceof HTMLInputElement && !textLike.has(field.type)) return false;
  if (sensitiveAutocomplete.test(field.autocomplete || field.getAttribute('autocomplete') || '')) return true;
  const labels = labelsOf(field).map(label => label.textContent ?? '');
  const hints = [field.name, field.id, field.placeholder, field.getAttribute('aria-label') ?? '', field.title, ...labels];
  return hints.some(hint => hint !== '' && hint.length <= 200 && sensitiveWords.test(words(hint)));
}

/** Every field of the document whose value must be masked. */
export function sensitiveFields(): (HTMLInputElement | HTMLTextAreaElement)[] {
  const found: (HTMLInputElement | HTMLTextAreaElement)[] = [];
  for (const element of allElements(document))
    if ((element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) && isSensitive(element))
      found.push(element);
  return found;
}

/** The value as it may be shown. */
export function shownValue(element: Element, value: string): string {
  return value !== '' && isSensitive(element) ? maskedValue : value;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  /** It stays where it is when the page scrolls: in a picture of the whole page it may stand anywhere. */
  pinned?: true;
}

/** Boxes of what must not be in a picture: sensitive fields with a value, and text that shows a given string. */
export function sensitiveBoxes(argument: {secrets?: string[]; selectors?: string[]}): {boxes: Box[]} {
  const boxes: Box[] = [];
  const add = (rect: DOMRect, element: Element | null) => {
    if (rect.width <= 0 || rect.height <= 0) return;
    boxes.push({x: rect.x, y: rect.y, width: rect.width, height: rect.height, ...(isPinned(element) && {pinned: true})});
  };
  const secrets = (argument.secrets ?? []).filter(s => s !== '');
  const shows = (text: string) => secrets.some(secret => text.includes(secret));
  const masked: Element[] = [];
  const elements = allElements(document);
  for (const element of elements) {
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
      if (isSensitive(element) ? element.value !== '' : shows(element.value) || shows(element.placeholder)) masked.push(element);
    } else if (element instanceof HTMLSelectElement && secrets.length) {
      if ([...element.selectedOptions].some(option => shows(option.label))) masked.push(element);
    }
    for (const selector of argument.selectors ?? []) if (matches(element, selector)) masked.push(element);
  }
  for (const element of masked) add(element.getBoundingClientRect(), element);
  if (secrets.length) for (const range of secretRanges(elements, secrets)) for (const rect of range.getClientRects()) add(rect, range.startContainer.parentElement);
  return {boxes};
}

/** Under something that is fixed to the window or sticks in it. */
export function isPinned(element: Element | null): boolean {
  for (let e = element; e; e = renderedParent(e)) {
    const {position} = styleOf(e);
    if (position === 'fixed' || position === 'sticky') return true;
  }
  return false;
}

function matches(element: Element, selector: string): boolean {
  try {
    return element.matches(selector);
  } catch {
    return false;
  }
}

/** Ranges over the text nodes of each block that together show one of the strings. */
function secretRanges(elements: Element[], secrets: string[]): Range[] {
  const ranges: Range[] = [];
  const scopes = new Set<Node>([document.body ?? document]);
  for (const element of elements) if (element.shadowRoot) scopes.add(element.shadowRoot);
  for (const scope of scopes) {
    const nodes: Text[] = [];
    const starts: number[] = [];
    let text = '';
    const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
      nodes.push(node);
      starts.push(text.length);
      text += node.data;
    }
    for (const secret of secrets) {
      for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
        const first = lastAtOrBefore(starts, at);
        const last = lastAtOrBefore(starts, at + secret.length - 1);
        const range = document.createRange();
        range.setStart(nodes[first]!, at - starts[first]!);
        range.setEnd(nodes[last]!, at + secret.length - starts[last]!);
        ranges.push(range);
      }
    }
  }
  return ranges;
}

function lastAtOrBefore(starts: number[], position: number): number {
  let low = 0, high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Values that sensitive fields have held when asked, so that a script which empties a field does not betray it. */
const heldValues = new Set<string>();
const mostHeld = 200;

/**
 * `value` with every string masked that equals what a sensitive field holds or held at an earlier call; longer ones inside
 * texts too.
 */
export function maskValues(argument: {value: unknown; short?: boolean}): {value: unknown} {
  for (const field of sensitiveFields()) if (field.value !== '') heldValues.add(field.value);
  for (const value of heldValues) if (heldValues.size > mostHeld) heldValues.delete(value);
  const values = [...heldValues];
  if (!values.length) return {value: argument.value};
  const whole = new Set(argument.short === false ? [] : values);
  // Short values (PINs, single digits) would mask half of every page; they count only as a whole.
  const inner = values.filter(v => v.length >= 6).sort((a, b) => b.length - a.length);
  const mask = (text: string): string => {
    if (whole.has(text)) return maskedValue;
    for (const secret of inner) {
      text = text.replaceAll(secret, maskedValue);
      const escaped = JSON.stringify(secret).slice(1, -1);
      if (escaped !== secret) text = text.replaceAll(escaped, maskedValue);
      // As markup that was serialized by the browser holds it, in text and in attributes.
      const markup = secret.replaceAll('&', '&amp;').replaceAll('\u00a0', '&nbsp;');
      for (const quoted of [markup.replaceAll('<', '&lt;').replaceAll('>', '&gt;'), markup.replaceAll('"', '&quot;'),
                            markup.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')])
        if (quoted !== secret) text = text.replaceAll(quoted, maskedValue);
      const encoded = encodeURIComponent(secret.toWellFormed());
      if (encoded !== secret) text = text.replaceAll(encoded, maskedValue);
    }
    return text;
  };
  const visit = (value: unknown): unknown => {
    if (typeof value === 'string') return mask(value);
    if (typeof value === 'number') return whole.has(String(value)) && String(value).length >= 3 ? maskedValue : value;
    if (Array.isArray(value)) return value.map(visit);
    if (value && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([key, v]) => [mask(key), visit(v)]));
    return value;
  };
  return {value: visit(argument.value)};
}
