// What an element belongs to: the control that shows what is chosen in it, the row or card it stands in. Read before an
// action and after it.

import {byIds, closest, parentOf} from './dom';
import {describeText} from './describe';
import {rememberOnce} from './identity';
import {nameOf} from './names';
import {roleOf} from './roles';
import {shownValue} from './sensitive';
import {checkedOf, selectedOf, valueOf} from './states';
import {collapse, cut} from './text';

const composites = new Set(['listbox', 'menu', 'menubar', 'tree', 'grid', 'treegrid', 'radiogroup', 'tablist', 'combobox']);
const controls = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'combobox', 'option', 'menuitem', 'menuitemcheckbox',
  'menuitemradio', 'tab', 'treeitem', 'slider', 'spinbutton', 'textbox', 'searchbox']);
const containers = new Set(['row', 'listitem', 'article', 'group', 'region', 'form', 'dialog', 'alertdialog', 'tabpanel', 'figure']);

/** The control whose popup or list the element is in; else the control it is a part of. */
function ownerOf(element: Element): Element | null {
  let composite: Element | null = null, control: Element | null = null;
  for (let e: Element | null = element; e; e = parentOf(e)) {
    const opener = e.id ? controllerOf(e) : null;
    if (opener && opener !== element) return opener;
    if (e === element) continue;
    const role = roleOf(e);
    if (!composite && (composites.has(role) || e instanceof HTMLSelectElement)) composite = e;
    if (!control && controls.has(role)) control = e;
  }
  const label = closest(element, 'label') as HTMLLabelElement | null;
  return composite ?? control ?? (label?.control && label.control !== element ? label.control : null);
}

/** Who says of itself that it controls or owns `popup`. */
function controllerOf(popup: Element): Element | null {
  const root = popup.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return null;
  const id = CSS.escape(popup.id);
  for (const e of root.querySelectorAll(`[aria-controls~="${id}"],[aria-owns~="${id}"]`))
    if (e !== popup && [e.getAttribute('aria-controls'), e.getAttribute('aria-owns')].some(list => byIds(e, list).includes(popup)) && !popup.contains(e))
      return e;
  return null;
}

function containerOf(element: Element, owner: Element | null): Element | null {
  for (let e = parentOf(element); e; e = parentOf(e)) if (e !== owner && containers.has(roleOf(e))) return e;
  return null;
}

/** What a control shows as its choice. */
function shown(control: Element): string {
  const value = valueOf(control);
  if (value) return collapse(shownValue(control, value));
  if (composites.has(roleOf(control))) {
    const chosen: string[] = [];
    for (const e of control.querySelectorAll('*'))
      if (controls.has(roleOf(e)) && (checkedOf(e) === true || selectedOf(e) || e.getAttribute('aria-current') === 'true')) chosen.push(nameOf(e));
    if (chosen.length) return chosen.join(', ');
  }
  return collapse(describeText(control));
}

function textOf(element: Element): string {
  return collapse(element instanceof HTMLElement ? element.innerText : element.textContent ?? '').slice(0, 20_000);
}

interface Side {
  element: Element;
  before: string;
  checked: unknown;
}

export class Surroundings {
  private readonly owner: Side | null;
  private readonly container: Side | null;

  constructor(element: Element) {
    const owner = ownerOf(element), container = containerOf(element, owner);
    this.owner = owner && {element: owner, before: shown(owner), checked: checkedOf(owner)};
    this.container = container && {element: container, before: textOf(container), checked: undefined};
  }

  tell(): Record<string, unknown> {
    return {
      ...(this.owner && {ownerControl: tellOf(this.owner, 'displayText', shown(this.owner.element), checkedOf(this.owner.element))}),
      ...(this.container && {container: tellOf(this.container, 'text', textOf(this.container.element), undefined)}),
    };
  }
}

function tellOf(side: Side, key: string, now: string, checked: unknown): Record<string, unknown> {
  const {element} = side;
  if (!element.isConnected) return {stillAttached: false, changed: true};
  const name = nameOf(element);
  return {
    id: rememberOnce(element), role: roleOf(element), ...(name && {name: cut(name, 100)}), [key]: cut(now, 500),
    changed: now !== side.before || checked !== side.checked,
  };
}
