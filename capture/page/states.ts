// The states of a control, from its own properties and ARIA attributes.

import {tagOf, parentOf} from './dom';
import {explicitRole, isNativelyDisabled, roleOf} from './roles';

export type Tristate = boolean | 'mixed';

const checkable = new Set(['checkbox', 'menuitemcheckbox', 'option', 'radio', 'switch', 'menuitemradio', 'treeitem']);
const selectable = new Set(['gridcell', 'option', 'row', 'tab', 'rowheader', 'columnheader', 'treeitem']);
const expandable = new Set(['application', 'button', 'checkbox', 'combobox', 'gridcell', 'link', 'listbox', 'menuitem',
  'row', 'rowheader', 'tab', 'treeitem', 'columnheader', 'menuitemcheckbox', 'menuitemradio', 'switch']);
const disableable = new Set(['application', 'button', 'composite', 'gridcell', 'group', 'input', 'link', 'menuitem',
  'scrollbar', 'separator', 'tab', 'checkbox', 'columnheader', 'combobox', 'grid', 'listbox', 'menu', 'menubar',
  'menuitemcheckbox', 'menuitemradio', 'option', 'radio', 'radiogroup', 'row', 'rowheader', 'searchbox', 'select',
  'slider', 'spinbutton', 'switch', 'tablist', 'textbox', 'toolbar', 'tree', 'treegrid', 'treeitem']);
const levelled = new Set(['heading', 'listitem', 'row', 'treeitem']);
const readOnlyRoles = new Set(['checkbox', 'combobox', 'grid', 'gridcell', 'listbox', 'radiogroup', 'slider',
  'spinbutton', 'textbox', 'columnheader', 'rowheader', 'searchbox', 'switch', 'treegrid']);

export function supportsChecked(role: string): boolean {
  return checkable.has(role);
}

export function checkedOf(element: Element): Tristate | undefined {
  if (element instanceof HTMLInputElement && (element.type === 'checkbox' || element.type === 'radio'))
    return element.indeterminate && element.type === 'checkbox' ? 'mixed' : element.checked;
  const role = roleOf(element);
  if (!checkable.has(role)) return undefined;
  const value = element.getAttribute('aria-checked')?.toLowerCase();
  if (value === undefined && (role === 'option' || role === 'treeitem')) return undefined;
  return value === 'mixed' ? 'mixed' : value === 'true';
}

export function selectedOf(element: Element): boolean | undefined {
  if (element instanceof HTMLOptionElement) return element.selected;
  if (!selectable.has(roleOf(element))) return undefined;
  const value = element.getAttribute('aria-selected');
  return value === null ? undefined : value.toLowerCase() === 'true';
}

export function pressedOf(element: Element): Tristate | undefined {
  const value = element.getAttribute('aria-pressed')?.toLowerCase();
  if (value === undefined || roleOf(element) !== 'button') return undefined;
  return value === 'mixed' ? 'mixed' : value === 'true';
}

export function expandedOf(element: Element): boolean | undefined {
  if (element instanceof HTMLDetailsElement) return element.open;
  if (element.nodeName === 'SUMMARY' && element.parentElement instanceof HTMLDetailsElement)
    return element.parentElement.open;
  const value = element.getAttribute('aria-expanded');
  if (value === null || !expandable.has(roleOf(element))) return undefined;
  return value.toLowerCase() === 'true';
}

export function levelOf(element: Element): number | undefined {
  const native = /^H([1-6])$/.exec(tagOf(element));
  const role = roleOf(element);
  if (native && role === 'heading' && !explicitRole(element)) return Number(native[1]);
  if (!levelled.has(role)) return undefined;
  const value = Number(element.getAttribute('aria-level') ?? (native ? native[1] : NaN));
  if (Number.isInteger(value) && value >= 1) return value;
  return role === 'heading' ? 2 : undefined;
}

export function isDisabled(element: Element): boolean {
  if (isNativelyDisabled(element)) return true;
  if (!disableable.has(roleOf(element))) return false;
  for (let e: Element | null = element; e; e = parentOf(e)) {
    const value = e.getAttribute('aria-disabled')?.toLowerCase();
    if (value === 'true') return true;
    if (value === 'false') return false;
  }
  return false;
}

const textTypes = new Set(['text', 'search', 'email', 'tel', 'url', 'password', 'number']);
const setTypes = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range']);

/** A field that takes typed text. */
export function isTextField(element: Element): element is HTMLInputElement | HTMLTextAreaElement {
  return element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && textTypes.has(element.type));
}

/** A field whose value is set as a whole: dates, times, colours, ranges. */
export function isPickerField(element: Element): element is HTMLInputElement {
  return element instanceof HTMLInputElement && setTypes.has(element.type);
}

/** The element that is edited when one types into `element`: itself or its editing host. */
export function editingHostOf(element: Element): HTMLElement | null {
  if (!(element instanceof HTMLElement) || !element.isContentEditable) return null;
  let host: HTMLElement = element;
  while (host.parentElement?.isContentEditable) host = host.parentElement;
  return host;
}

export function isReadOnly(element: Element): boolean {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    if (element.readOnly) return true;
  }
  return readOnlyRoles.has(roleOf(element)) && element.getAttribute('aria-readonly')?.toLowerCase() === 'true';
}

/** Can be filled, disabled and read-only aside. */
export function isFillable(element: Element): boolean {
  return isTextField(element) || isPickerField(element) || editingHostOf(element) !== null;
}

/** The value a control shows as text, or undefined for what has none. Not masked. */
export function valueOf(element: Element): string | undefined {
  if (element instanceof HTMLInputElement) {
    switch (element.type) {
      case 'checkbox': case 'radio': case 'hidden': case 'submit': case 'button': case 'reset': case 'image':
        return undefined;
      case 'file': return [...(element.files ?? [])].map(f => f.name).join(', ');
      default: return element.value;
    }
  }
  if (element instanceof HTMLTextAreaElement) return element.value;
  if (element instanceof HTMLSelectElement)
    return [...element.selectedOptions].map(o => o.label.trim().replace(/\s+/g, ' ')).join(', ');
  if (element instanceof HTMLMeterElement || element instanceof HTMLProgressElement)
    return element.getAttribute('value') ?? undefined;
  const host = editingHostOf(element);
  if (host === element) return readEditable(host);
  const role = roleOf(element);
  if (role === 'slider' || role === 'spinbutton' || role === 'progressbar' || role === 'scrollbar' || role === 'meter')
    return element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow') ?? undefined;
  if (role === 'textbox' || role === 'searchbox') return (element as HTMLElement).innerText ?? element.textContent ?? '';
  return undefined;
}

/** The text of an editing host as its reader sees it, without the line break that a trailing <br> adds. */
export function readEditable(host: HTMLElement): string {
  const text = host.innerText.replace(/\r\n?/g, '\n');
  return text === '\n' ? '' : text.replace(/\n$/, '');
}
