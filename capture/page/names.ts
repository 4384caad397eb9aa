// Accessible names after the accname specification, in two flavours: as Chromium's own tree has them (text-transform
// applied, a space around what is named by an attribute) and as Playwright computes them (neither).

import {cache} from './caches';
import {byIds, eachRenderedChild, tagOf} from './dom';
import {generatedText} from './generated';
import {labelsOf} from './labels';
import {isPresentational, namelessRoles, roleOf} from './roles';
import {collapse} from './text';
import {isAriaHiddenItself, isHiddenForAria, isIgnored, isShown, styleOf} from './visible';

export type Flavour = 'browser' | 'playwright';

/** How the computation came to an element: it is being named itself, or what names another one contains it. */
type Via = 'self' | 'content' | 'label' | 'labelledby' | 'native';

interface Walk {
  flavour: Flavour;
  visited: Set<Element>;
  /** Out: whether the text found last is an element's content, not an attribute. */
  fromContent: boolean;
}

const nameFromContent = new Set(['button', 'cell', 'checkbox', 'columnheader', 'gridcell', 'heading', 'link', 'menuitem',
  'menuitemcheckbox', 'menuitemradio', 'option', 'radio', 'rowheader', 'switch', 'tab', 'tooltip', 'treeitem']);

/** Roles without a name of their own that still pass their text on to what contains them. */
const passesTextOn = new Set(['', 'generic', 'caption', 'code', 'contentinfo', 'definition', 'deletion', 'emphasis',
  'insertion', 'list', 'listitem', 'mark', 'none', 'paragraph', 'presentation', 'region', 'row', 'rowgroup', 'strong',
  'subscript', 'superscript', 'table', 'term', 'time']);

export function takesNameFromContent(element: Element, role: string, flavour: Flavour): boolean {
  if (nameFromContent.has(role) || element.nodeName === 'SUMMARY') return true;
  if (flavour === 'playwright') return role === 'row';
  if (role === 'row') return isInGrid(element);
  return role === 'term';
}

function isInGrid(row: Element): boolean {
  for (let e = row.parentElement; e; e = e.parentElement) {
    const role = roleOf(e);
    if (role === 'grid' || role === 'treegrid') return true;
    if (role !== '' && role !== 'generic' && role !== 'rowgroup' && !isPresentational(role)) return false;
  }
  return false;
}

const names: Record<Flavour, Map<Element, string>> = {browser: cache(), playwright: cache()};

/** The accessible name; '' when there is none. White space is collapsed, no-break spaces stay. */
export function nameOf(element: Element, flavour: Flavour = 'browser'): string {
  let name = names[flavour].get(element);
  if (name === undefined) {
    name = computeName(element, flavour);
    names[flavour].set(element, name);
  }
  return name;
}

function computeName(element: Element, flavour: Flavour): string {
  if (flavour === 'playwright' && namelessRoles.has(roleOf(element)) && element.nodeName !== 'SUMMARY' &&
      !hasNativeName(element)) return '';
  const walk: Walk = {flavour, visited: new Set(), fromContent: false};
  const text = textOf(element, 'self', isHiddenForAria(element), walk);
  return flavour === 'browser' ? collapse(text) : text.replace(/[\u200b\u00ad]/g, '').replace(/[^\S\u00a0]+/g, ' ').trim();
}

/** Elements without a role that have a name all the same: iframe, label-able custom elements. */
function hasNativeName(element: Element): boolean {
  return roleOf(element) === '' && element.nodeName !== 'DIV' && element.nodeName !== 'SPAN';
}

function attribute(element: Element, name: string): string {
  const value = element.getAttribute(name);
  return value && value.trim() ? value : '';
}

function textOf(element: Element, via: Via, hiddenToo: boolean, walk: Walk): string {
  walk.fromContent = false;
  if (walk.visited.has(element) || isIgnored(element)) return '';
  if (via !== 'labelledby') {
    const named = element.hasAttribute('aria-labelledby') ? textOfIds(element, walk) : '';
    if (named) {
      walk.fromContent = false;
      return named;
    }
  }
  const role = roleOf(element);
  if (via !== 'self' && via !== 'native') {
    const value = embeddedValue(element, role, hiddenToo, walk);
    if (value !== undefined) return value;
  }
  walk.visited.add(element);
  const label = attribute(element, 'aria-label');
  if (label) return label;
  const presentational = isPresentational(role);
  if (!presentational) {
    const native = nativeName(element, via, hiddenToo, walk);
    if (native !== undefined) return native;
  }
  if (contentCounts(element, role, via, walk.flavour)) {
    const content = contentOf(element, hiddenToo, walk);
    if (content.trim()) {
      walk.fromContent = true;
      return content;
    }
    // A blank keeps words apart; a title may still name the element.
    const title = presentational ? '' : attribute(element, 'title');
    walk.fromContent = !title;
    return title || (via === 'self' ? '' : content);
  }
  walk.fromContent = false;
  return presentational && element.nodeName !== 'IFRAME' ? '' : attribute(element, 'title');
}

function contentCounts(element: Element, role: string, via: Via, flavour: Flavour): boolean {
  if (via === 'self') return takesNameFromContent(element, role, flavour);
  if (via !== 'content') return true;
  return takesNameFromContent(element, role, flavour) || passesTextOn.has(role);
}

function textOfIds(element: Element, walk: Walk): string {
  const parts: string[] = [];
  for (const target of byIds(element, element.getAttribute('aria-labelledby'))) {
    const inner: Walk = {flavour: walk.flavour, visited: new Set(walk.visited), fromContent: false};
    const text = collapse(textOf(target, 'labelledby', isHiddenForAria(target), inner));
    if (text) parts.push(text);
  }
  return parts.join(' ');
}

/** What a control inside a label or a named container adds: its value. */
function embeddedValue(element: Element, role: string, hiddenToo: boolean, walk: Walk): string | undefined {
  switch (role) {
    case 'textbox':
    case 'searchbox':
      walk.visited.add(element);
      if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
        return element.type === 'password' ? '' : element.value;
      return element.textContent ?? '';
    case 'combobox':
    case 'listbox': {
      walk.visited.add(element);
      if (element instanceof HTMLInputElement) return element.value;
      let chosen: Element[];
      if (element instanceof HTMLSelectElement) {
        chosen = [...element.selectedOptions];
        if (!chosen.length && element.options[0]) chosen.push(element.options[0]);
      } else {
        const owned = [element, ...byIds(element, element.getAttribute('aria-owns'))];
        chosen = owned.flatMap(e => [...e.querySelectorAll('[aria-selected="true" i]')])
          .filter(e => roleOf(e) === 'option');
      }
      return chosen.map(option => textOf(option, 'content', hiddenToo, walk)).join(' ');
    }
    case 'progressbar':
    case 'scrollbar':
    case 'slider':
    case 'spinbutton':
    case 'meter':
      walk.visited.add(element);
      return element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow') ??
        (walk.flavour === 'browser' && element instanceof HTMLInputElement ? element.value
                                                                          : element.getAttribute('value') ?? '');
    case 'menu':
      walk.visited.add(element);
      return '';
    default:
      return undefined;
  }
}

function labelsText(element: Element, walk: Walk): string | undefined {
  const labels = labelsOf(element);
  if (!labels.length) return undefined;
  const parts: string[] = [];
  for (const label of labels) {
    const text = collapse(textOf(label, 'label', isHiddenForAria(label), walk));
    if (text) parts.push(text);
  }
  return parts.join(' ');
}

function firstChildOf(element: Element, tag: string): Element | undefined {
  for (const child of element.children) if (tagOf(child) === tag) return child;
  return undefined;
}

/** The name that HTML itself gives; undefined: look on. */
function nativeName(element: Element, via: Via, hiddenToo: boolean, walk: Walk): string | undefined {
  const tag = tagOf(element);
  switch (tag) {
    case 'INPUT': return inputName(element as HTMLInputElement, via, walk);
    case 'TEXTAREA':
    case 'SELECT':
    case 'METER':
    case 'PROGRESS':
      return labelled(element, via, walk) || attribute(element, 'title') ||
        (tag === 'TEXTAREA' ? placeholder(element) : '');
    case 'BUTTON': return labelled(element, via, walk);
    case 'OUTPUT': return labelled(element, via, walk) ?? (via === 'self' ? attribute(element, 'title') : undefined);
    case 'IMG':
    case 'AREA': return attribute(element, 'alt') || attribute(element, 'title');
    case 'FIELDSET': return ownCaption(element, 'LEGEND', walk) ?? attribute(element, 'title');
    case 'FIGURE':
      if (walk.flavour === 'browser') return undefined;
      return ownCaption(element, 'FIGCAPTION', walk) ?? attribute(element, 'title');
    case 'TABLE':
      if (via !== 'self') return undefined;
      return ownCaption(element, 'CAPTION', walk) ?? (attribute(element, 'summary') || undefined);
    default:
      if (tag === 'SVG' || element instanceof SVGElement) {
        const title = firstChildOf(element, 'TITLE');
        if (title instanceof SVGElement) return title.textContent ?? '';
        return undefined;
      }
      if (hiddenToo && tag === 'TITLE') return '';
      return undefined;
  }
}

function ownCaption(element: Element, tag: string, walk: Walk): string | undefined {
  const caption = firstChildOf(element, tag);
  return caption ? textOf(caption, 'native', isHiddenForAria(caption), walk) : undefined;
}

function labelled(element: Element, via: Via, walk: Walk): string | undefined {
  return via === 'labelledby' ? undefined : labelsText(element, walk);
}

function placeholder(element: Element): string {
  return attribute(element, 'placeholder') || attribute(element, 'aria-placeholder');
}

function inputName(input: HTMLInputElement, via: Via, walk: Walk): string {
  const type = input.type;
  const labels = labelled(input, via, walk);
  switch (type) {
    case 'button': return labels || attribute(input, 'value') || attribute(input, 'title');
    case 'submit': return labels || attribute(input, 'value') || 'Submit';
    case 'reset': return labels || attribute(input, 'value') || 'Reset';
    case 'file': return labels || (input.multiple ? 'Choose Files' : 'Choose File');
    case 'image': return labels || attribute(input, 'alt') || attribute(input, 'title') || 'Submit';
    default: {
      if (labels) return labels;
      const title = attribute(input, 'title');
      const hasPlaceholder = /^(text|password|number|search|tel|email|url)$/.test(type);
      return title || (hasPlaceholder ? placeholder(input) : '');
    }
  }
}

function isInline(display: string): boolean {
  return display === 'inline';
}

function contentOf(element: Element, hiddenToo: boolean, walk: Walk): string {
  let text = generatedText(element, '::before');
  const replaced = generatedText(element, '');
  if (replaced) {
    text += replaced;
  } else {
    eachRenderedChild(element, child => {
      text += childText(child, element, hiddenToo, walk);
    });
    if (element.hasAttribute('aria-owns'))
      for (const owned of byIds(element, element.getAttribute('aria-owns'))) text += childText(owned, element, hiddenToo, walk);
  }
  return text + generatedText(element, '::after');
}

function childText(child: Node, parent: Element, hiddenToo: boolean, walk: Walk): string {
  if (child.nodeType === Node.TEXT_NODE) {
    const text = (child as Text).data;
    return walk.flavour === 'browser' ? transformed(text, parent) : text;
  }
  if (child.nodeType !== Node.ELEMENT_NODE) return '';
  const element = child as Element;
  // For Playwright whatever is no inline box keeps words apart, also when it is not shown.
  const nothing = walk.flavour === 'playwright' && !isInline(styleOf(element).display) ? ' ' : '';
  if (isIgnored(element)) return nothing;
  if (element.nodeName === 'BR') return ' ';
  if (!hiddenToo && (isAriaHiddenItself(element) || !isShown(element))) {
    // A hidden element may hold what is made visible again.
    if (isAriaHiddenItself(element) || walk.flavour === 'playwright' || styleOf(element).display === 'none') return nothing;
    return element.firstElementChild ? contentOfHidden(element, walk) : '';
  }
  const text = textOf(element, 'content', hiddenToo, walk);
  const apart = !isInline(styleOf(element).display) || (walk.flavour === 'browser' && !walk.fromContent && text !== '');
  return apart ? ` ${text} ` : text;
}

function contentOfHidden(element: Element, walk: Walk): string {
  let text = '';
  for (const child of element.children) text += childText(child, element, false, walk);
  return text;
}

/** Text as `text-transform` shows it. */
export function transformed(text: string, parent: Element): string {
  if (!/\S/.test(text)) return text;
  switch (styleOf(parent).textTransform) {
    case 'uppercase': return text.toLocaleUpperCase(languageOf(parent));
    case 'lowercase': return text.toLocaleLowerCase(languageOf(parent));
    case 'capitalize':
      return text.replace(/(^|[^\p{L}\p{N}'’])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toLocaleUpperCase());
    default: return text;
  }
}

function languageOf(element: Element): string | undefined {
  const language = element.closest('[lang]')?.getAttribute('lang');
  try {
    return language ? Intl.getCanonicalLocales(language)[0] : undefined;
  } catch {
    return undefined;
  }
}
