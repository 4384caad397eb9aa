// One element in words: what it is called, what state it is in, where it is.

import {closest, focusedElement, tagOf} from './dom';
import {elementOf, idOf} from './ids';
import {PageError} from './errors';
import {nameOf} from './names';
import {roleOf} from './roles';
import {isSensitive, shownValue} from './sensitive';
import {checkedOf, editingHostOf, expandedOf, isDisabled, isFillable, isPickerField, isReadOnly, isTextField, levelOf, pressedOf,
  selectedOf, valueOf} from './states';
import {collapse, cut} from './text';
import {isUsable, standInLabel} from './visible';

export const defaultTestAttributes = ['data-testid', 'data-test', 'data-cy', 'data-qa', 'data-type'];

/** The element of an id that must stand in the document. */
export function attached(id: unknown): Element {
  const element = typeof id === 'number' ? elementOf(id) : undefined;
  if (!element?.isConnected) throw new PageError('element-gone', 'The element is no longer in the document');
  return element;
}

/** `button "Save" (#save)`, for messages. */
export function inWords(element: Element): string {
  const role = roleOf(element);
  const name = nameOf(element);
  let tag = element.localName;
  if (element.id) tag += '#' + element.id;
  else if (element.classList.length) tag += '.' + element.classList[0];
  const label = name || element.getAttribute('aria-label') || '';
  return [role && role !== element.localName ? `${tag} (${role})` : tag, label ? JSON.stringify(cut(label, 60)) : '']
    .filter(Boolean).join(' ');
}

/** What stands in the brackets behind a row. */
export function statesOf(element: Element, role: string, focused: Element | null): string[] {
  const states: string[] = [];
  if (isDisabled(element)) states.push('disabled');
  const checked = checkedOf(element);
  if (checked !== undefined) states.push(`checked=${checked}`);
  if (selectedOf(element)) states.push('selected');
  const pressed = pressedOf(element);
  if (pressed !== undefined) states.push(`pressed=${pressed}`);
  const expanded = expandedOf(element);
  if (expanded !== undefined) states.push(`expanded=${expanded}`);
  if (role === 'heading') states.push(`level=${levelOf(element)}`);
  if (isTextField(element) || isPickerField(element) || editingHostOf(element) === element) {
    if (isReadOnly(element)) states.push('readonly');
    if ((element as HTMLInputElement).required || element.getAttribute('aria-required') === 'true') states.push('required');
  }
  const current = element.getAttribute('aria-current');
  if (current && current !== 'false') states.push(current === 'true' ? 'current' : `current=${current}`);
  if (element.getAttribute('aria-invalid') && element.getAttribute('aria-invalid') !== 'false') states.push('invalid');
  if (element === focused) states.push('focused');
  if (takesValue(role)) {
    const value = valueOf(element);
    if (value) states.push(`value=${JSON.stringify(cut(collapse(shownValue(element, value)), 200).toWellFormed())}`);
  }
  return states;
}

const valueRoles = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton', 'slider', 'progressbar', 'meter',
  'scrollbar', 'button']);

function takesValue(role: string): boolean {
  return valueRoles.has(role);
}

export function boxOf(element: Element): {x: number; y: number; width: number; height: number} {
  const rect = element.getBoundingClientRect();
  return {x: rect.x, y: rect.y, width: rect.width, height: rect.height};
}

/** The first test attribute an element has. */
export function testIdOf(element: Element, attributes: readonly string[]): {attribute: string; value: string} | undefined {
  for (const attribute of attributes) {
    const value = element.getAttribute(attribute);
    if (value) return {attribute, value};
  }
  return undefined;
}

/** The text an element shows its reader. */
export function describeText(element: Element): string {
  if (element instanceof HTMLInputElement)
    return /^(?:button|submit|reset)$/.test(element.type) ? element.value : '';
  if (element instanceof HTMLTextAreaElement) return '';
  if (element instanceof HTMLSelectElement) return [...element.selectedOptions].map(o => o.label).join(', ');
  return element instanceof HTMLElement ? element.innerText : element.textContent ?? '';
}

export function describe(argument: {id: number; testAttributes?: string[]}): Record<string, unknown> {
  const element = attached(argument.id);
  const role = roleOf(element);
  const visible = isUsable(element);
  const value = valueOf(element);
  const stand = standInLabel(element);
  const disabled = isDisabled(element), readonly = isReadOnly(element);
  const testId = testIdOf(element, argument.testAttributes ?? defaultTestAttributes);
  return {
    id: idOf(element),
    tag: element.localName,
    role,
    name: nameOf(element),
    type: element instanceof HTMLInputElement || element instanceof HTMLButtonElement ? element.type : undefined,
    text: cut(collapse(describeText(element)), 10_000),
    value: value === undefined ? undefined : shownValue(element, value),
    checked: checkedOf(element),
    selected: selectedOf(element),
    disabled,
    readonly,
    editable: isFillable(element) && !disabled && !readonly,
    visible,
    focused: focusedElement() === element,
    box: visible ? boxOf(stand && !hasBox(element) ? stand : element) : null,
    testId: testId?.value,
    testAttribute: testId?.attribute,
    sensitive: isSensitive(element),
    states: statesOf(element, role, focusedElement()),
    frameElement: isFrameElement(element),
    inForm: !!closest(element, 'form'),
  };
}

/** The name as the browser and as Playwright compute it. */
export function names(argument: {id: number}): {browser: string; playwright: string} {
  const element = attached(argument.id);
  return {browser: nameOf(element, 'browser'), playwright: nameOf(element, 'playwright')};
}

function hasBox(element: Element): boolean {
  const rect = element.getBoundingClientRect();
  return rect.width > 0 && rect.height > 0;
}

/** A child frame may hang under it. */
export function isFrameElement(element: Element): boolean {
  const tag = tagOf(element);
  return tag === 'IFRAME' || tag === 'FRAME' || tag === 'OBJECT' || tag === 'EMBED';
}

/** The visible text of the document, shadow trees included. */
export function documentText(): {text: string} {
  const parts = [document.body?.innerText ?? ''];
  const visit = (root: ParentNode) => {
    for (const element of root.querySelectorAll('*')) {
      if (!element.shadowRoot) continue;
      for (const child of element.shadowRoot.children)
        if (child instanceof HTMLElement && child.nodeName !== 'STYLE') parts.push(child.innerText);
      visit(element.shadowRoot);
    }
  };
  visit(document);
  return {text: parts.filter(part => part.trim() !== '').join('\n')};
}
