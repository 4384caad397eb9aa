// The ARIA role of an element: the explicit one where it is valid, else HTML's own (HTML-AAM), as Chromium's tree has it.
// '' is an element without a role of its own.

import {cache} from './caches';
import {byIds, closest, parentOf, tagOf} from './dom';

const validRoles = new Set((
  'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox ' +
  'complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid ' +
  'gridcell group heading img insertion link list listbox listitem log main mark marquee math meter menu menubar ' +
  'menuitem menuitemcheckbox menuitemradio navigation none note option paragraph presentation progressbar radio ' +
  'radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong ' +
  'subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid ' +
  'treeitem').split(' '));

const simpleRoles: Record<string, string> = {
  ARTICLE: 'article', ASIDE: 'complementary', BLOCKQUOTE: 'blockquote', BUTTON: 'button', CAPTION: 'caption',
  CODE: 'code', DATALIST: 'listbox', DD: 'definition', DEL: 'deletion', DETAILS: 'group', DFN: 'term', DIALOG: 'dialog',
  DT: 'term', EM: 'emphasis', FIELDSET: 'group', FIGURE: 'figure', H1: 'heading', H2: 'heading', H3: 'heading',
  H4: 'heading', H5: 'heading', H6: 'heading', HR: 'separator', HTML: 'document', INS: 'insertion', LI: 'listitem',
  MAIN: 'main', MARK: 'mark', MATH: 'math', MENU: 'list', METER: 'meter', NAV: 'navigation', OL: 'list',
  OPTGROUP: 'group', OPTION: 'option', OUTPUT: 'status', P: 'paragraph', PROGRESS: 'progressbar', SEARCH: 'search',
  STRONG: 'strong', SUB: 'subscript', SUP: 'superscript', SVG: 'img', TABLE: 'table', TBODY: 'rowgroup',
  TEXTAREA: 'textbox', TFOOT: 'rowgroup', THEAD: 'rowgroup', TIME: 'time', TR: 'row', UL: 'list',
};

const inputRoles: Record<string, string> = {
  button: 'button', checkbox: 'checkbox', file: 'button', image: 'button', number: 'spinbutton', radio: 'radio',
  range: 'slider', reset: 'button', submit: 'button', hidden: '',
};

const sectioning = 'article:not([role]), aside:not([role]), main:not([role]), nav:not([role]), section:not([role]), ' +
  '[role=article], [role=complementary], [role=main], [role=navigation], [role=region]';

/** Elements that lose their role when the named container is presentational. */
const ownedBy: Record<string, string[]> = {
  DD: ['DL', 'DIV'], DIV: ['DL'], DT: ['DL', 'DIV'], LI: ['OL', 'UL'], TBODY: ['TABLE'], TD: ['TR'], TFOOT: ['TABLE'],
  TH: ['TR'], THEAD: ['TABLE'], TR: ['THEAD', 'TBODY', 'TFOOT', 'TABLE'],
};

const globalAttributes = ['aria-atomic', 'aria-busy', 'aria-controls', 'aria-current', 'aria-describedby',
  'aria-details', 'aria-dropeffect', 'aria-flowto', 'aria-grabbed', 'aria-hidden', 'aria-keyshortcuts', 'aria-live',
  'aria-owns', 'aria-relevant'];

/** Roles that take no name from their author. */
export const namelessRoles = new Set(['', 'caption', 'code', 'definition', 'deletion', 'emphasis', 'generic',
  'insertion', 'mark', 'paragraph', 'presentation', 'none', 'strong', 'subscript', 'suggestion', 'superscript', 'term',
  'time']);

function hasGlobalAria(element: Element, role: string): boolean {
  if (!element.hasAttributes()) return false;
  if (globalAttributes.some(a => element.hasAttribute(a))) return true;
  if (element.hasAttribute('aria-roledescription') && role !== 'generic' && role !== '') return true;
  return !namelessRoles.has(role) && hasExplicitName(element);
}

export function hasExplicitName(element: Element): boolean {
  return element.hasAttribute('aria-label') || element.hasAttribute('aria-labelledby');
}

function hasTabIndex(element: Element): boolean {
  const value = element.getAttribute('tabindex');
  return value !== null && value.trim() !== '' && !Number.isNaN(Number(value));
}

/** Takes focus, disabled controls aside. */
export function isFocusable(element: Element): boolean {
  if (isNativelyDisabled(element)) return false;
  const tag = tagOf(element);
  if (tag === 'BUTTON' || tag === 'DETAILS' || tag === 'SELECT' || tag === 'TEXTAREA') return true;
  if (tag === 'A' || tag === 'AREA') return element.hasAttribute('href') || hasTabIndex(element);
  if (tag === 'INPUT') return (element as HTMLInputElement).type !== 'hidden';
  return hasTabIndex(element) || isEditingHost(element);
}

/** An element made editable by its own attribute. */
export function isEditingHost(element: Element): boolean {
  const value = element.getAttribute('contenteditable');
  return value !== null && value.toLowerCase() !== 'false' && (element as HTMLElement).isContentEditable;
}

const formControls = new Set(['BUTTON', 'INPUT', 'SELECT', 'TEXTAREA', 'OPTION', 'OPTGROUP']);

export function isNativelyDisabled(element: Element): boolean {
  if (!formControls.has(element.nodeName)) return false;
  return element.matches(':disabled') || (element.nodeName === 'OPTION' && !!element.closest('optgroup[disabled]'));
}

function headerCellRole(cell: Element): string {
  const scope = cell.getAttribute('scope')?.toLowerCase();
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  const before = cell.previousElementSibling, after = cell.nextElementSibling;
  if (!before && !after) {
    const table = closest(cell, 'table') as HTMLTableElement | null;
    return table && table.rows.length <= 1 ? '' : 'columnheader';
  }
  const isHeader = (e: Element | null) => e?.nodeName === 'TH';
  const isFilled = (e: Element | null) => e?.nodeName === 'TD' && (!!e.textContent?.trim() || e.childElementCount > 0);
  if (isHeader(before) && isHeader(after)) return 'columnheader';
  return isFilled(before) || isFilled(after) ? 'rowheader' : 'columnheader';
}

function inputRole(input: HTMLInputElement): string {
  const type = input.type;
  const known = inputRoles[type];
  if (known !== undefined) return known;
  if (type === 'text' || type === 'search' || type === 'email' || type === 'tel' || type === 'url') {
    const list = input.getAttribute('list');
    if (list && byIds(input, list)[0] instanceof HTMLDataListElement) return 'combobox';
    return type === 'search' ? 'searchbox' : 'textbox';
  }
  return 'textbox';
}

function htmlRole(element: Element, tag: string): string {
  const simple = simpleRoles[tag];
  if (simple !== undefined) return simple;
  switch (tag) {
    case 'A':
    case 'AREA': return element.hasAttribute('href') ? 'link' : '';
    case 'FOOTER': return closest(element, sectioning) ? '' : 'contentinfo';
    case 'HEADER': return closest(element, sectioning) ? '' : 'banner';
    case 'FORM': return hasExplicitName(element) ? 'form' : '';
    case 'SECTION': return hasExplicitName(element) ? 'region' : '';
    case 'IMG':
      return element.getAttribute('alt') === '' && !element.getAttribute('title') && !hasGlobalAria(element, 'img') &&
        !hasTabIndex(element) ? 'presentation' : 'img';
    case 'INPUT': return inputRole(element as HTMLInputElement);
    case 'SELECT': {
      const select = element as HTMLSelectElement;
      return select.multiple || select.size > 1 ? 'listbox' : 'combobox';
    }
    case 'TD': {
      const table = closest(element, 'table');
      const role = table ? explicitRole(table) : '';
      return role === 'grid' || role === 'treegrid' ? 'gridcell' : 'cell';
    }
    case 'TH': return headerCellRole(element);
    default: return '';
  }
}

function implicitRole(element: Element): string {
  const role = htmlRole(element, tagOf(element));
  if (!role) return '';
  for (let e = element; ;) {
    const owners = ownedBy[tagOf(e)];
    const parent = owners && parentOf(e);
    if (!parent || !owners.includes(tagOf(parent))) return role;
    const explicit = explicitRole(parent);
    if ((explicit === 'none' || explicit === 'presentation') && !keepsRole(parent, explicit)) return explicit;
    e = parent;
  }
}

export function explicitRole(element: Element): string {
  const attribute = element.getAttribute('role');
  if (!attribute) return '';
  for (const word of attribute.toLowerCase().split(/\s+/)) if (validRoles.has(word)) return word;
  return '';
}

function keepsRole(element: Element, role: string): boolean {
  return hasGlobalAria(element, role) || isFocusable(element);
}

const roles = cache<Element, string>();

export function roleOf(element: Element): string {
  let role = roles.get(element);
  if (role === undefined) roles.set(element, (role = computeRole(element)));
  return role;
}

function computeRole(element: Element): string {
  const explicit = explicitRole(element);
  if (!explicit) return implicitRole(element);
  if (explicit === 'none' || explicit === 'presentation') {
    const implicit = implicitRole(element);
    if (keepsRole(element, implicit)) return implicit;
  }
  return explicit;
}

export function isPresentational(role: string): boolean {
  return role === 'none' || role === 'presentation';
}
