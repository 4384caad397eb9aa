// The snapshot: the document as rows of role, name and state, folded as an ARIA snapshot folds it.

import {focusedElement, eachRenderedChild} from './dom';
import {attached, isFrameElement, statesOf} from './describe';
import {PageError} from './errors';
import {remember, rememberOnce, sawElement} from './identity';
import {generatedText} from './generated';
import {elementOf, idOf, knownId} from './ids';
import {nameOf, takesNameFromContent, transformed} from './names';
import {isEditingHost, isPresentational, roleOf} from './roles';
import {isFillable} from './states';
import {collapse, cut} from './text';
import {isAriaHiddenItself, isIgnored, standInLabel, styleOf} from './visible';

/** depth, role, name, element id (0: none), states, 1 when a child frame may hang under it */
export type Row = [number, string, string, number, string[], 0 | 1];

export interface WalkArgument {
  root?: number;
  maxNodes?: number;
  omit?: string[];
  after?: number;
  maxBytes?: number;
  /** A part of the page is walked, not what a modal dialog leaves of it. */
  part?: boolean;
}

const longestName = 240;
const mostOptions = 20;

/** Roles of running text: they shape it and hold nothing that one acts on. */
const textRoles = new Set(['', 'generic', 'paragraph', 'emphasis', 'strong', 'code', 'deletion', 'insertion', 'subscript',
  'superscript', 'mark', 'time', 'none', 'presentation', 'rowgroup', 'document', 'caption']);

/** Elements that stand in running text unless the page's style says otherwise. */
const inlineTags = new Set(['SPAN', 'A', 'B', 'I', 'EM', 'STRONG', 'CODE', 'SMALL', 'MARK', 'U', 'S', 'SUB', 'SUP', 'DEL', 'INS', 'TIME',
  'ABBR', 'CITE', 'Q', 'KBD', 'SAMP', 'VAR', 'DFN', 'BDI', 'BDO', 'FONT', 'LABEL', 'DATA', 'TT', 'WBR', 'BR']);

/** Roles that mostly wrap something else, and that one seldom acts on. */
const wrappers = new Set(['cell', 'gridcell', 'columnheader', 'rowheader', 'listitem']);

const cellRoles = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);

const controlRoles = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'textbox', 'searchbox', 'combobox', 'spinbutton', 'slider',
  'menuitem', 'tab']);

/** The one control that is all there is in an element. */
function onlyControl(element: Element): Element | null {
  for (let e: Element = element; ;) {
    if (e.shadowRoot || e.childElementCount !== 1 || e.nodeName === 'SLOT') return null;
    for (let child = e.firstChild; child; child = child.nextSibling)
      if (child.nodeType === Node.TEXT_NODE && /\S/.test((child as Text).data)) return null;
    e = e.firstElementChild!;
    const role = roleOf(e);
    if (controlRoles.has(role)) return e;
    if (!textRoles.has(role) || e.hasAttribute('tabindex') || e.hasAttribute('onclick')) return null;
  }
}

/** Controls that are one thing: what they show besides their name is an ornament. */
const atoms = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option']);

/** What holds a control's parts: nothing inside is a row of its own. */
const leafRoles = new Set(['textbox', 'searchbox', 'spinbutton', 'slider', 'progressbar', 'meter', 'scrollbar', 'img',
  'separator', 'math']);

export class Walker {
  readonly rows: Row[] = [];
  total = 0;
  bytes = 0;
  private started: boolean;
  private full = false;
  private readonly omitted: Set<string>;
  private readonly focused = focusedElement();
  private readonly modal: Element | null;
  private text = '';
  private textDepth = 0;
  private inAtom = false;
  private lastShown = 0;
  private afterDepth: number | undefined;

  constructor(private readonly argument: WalkArgument) {
    this.omitted = new Set(argument.omit ?? []);
    this.started = argument.after === undefined;
    const modals = document.querySelectorAll('dialog:modal');
    this.modal = modals.length === 1 && argument.root === undefined && !argument.part ? modals[0]! : null;
  }

  walk(root: Element): void {
    this.element(root, 0, '');
    this.flush();
  }

  /** Where the next call goes on. */
  more(): {after: number; remaining: number} | undefined {
    return this.full && this.lastShown ? {after: this.lastShown, remaining: this.total} : undefined;
  }

  /** How deep the element lies that was to be continued after. */
  get depthOfAfter(): number | undefined {
    return this.afterDepth;
  }

  get found(): boolean {
    return this.started;
  }

  private element(element: Element, depth: number, covered: string): void {
    if (isIgnored(element) || isAriaHiddenItself(element)) return;
    if ((element as HTMLElement).inert) return;
    if (this.modal && !this.modal.contains(element) && !element.contains(this.modal)) return;
    let shown = element.checkVisibility({visibilityProperty: true});
    if (!shown) {
      const painted = standInLabel(element);
      if (!painted) {
        const style = styleOf(element);
        if (style.display === 'none') return;
        if (!element.firstElementChild && !element.shadowRoot && style.display !== 'contents') return;
        if (style.display === 'contents' && style.visibility === 'visible') shown = true;
        else return this.children(element, depth, covered);
      }
    }
    const role = roleOf(element);
    if (wrappers.has(role) && (this.argument.root === undefined || this.argument.root !== knownId(element))) {
      const only = onlyControl(element);
      // A cell or list item around one control says nothing that the control does not say.
      if (only) return this.element(only, depth, covered);
    }
    if (textRoles.has(role) && !this.ownRow(element, role)) return this.folded(element, role, depth, covered);
    this.rowFor(element, role, depth, covered);
  }

  /** Text-like elements that one can still act on or that hold a document. */
  private ownRow(element: Element, role: string): boolean {
    const tag = element.nodeName;
    if (tag === 'IFRAME' || tag === 'FRAME' || tag === 'SUMMARY' || tag === 'CANVAS' || tag === 'VIDEO' || tag === 'AUDIO' ||
        tag === 'OBJECT' || tag === 'EMBED')
      return !isPresentational(role) || isFrameElement(element);
    return isEditingHost(element) || (role !== '' && role !== 'generic' ? false : element.hasAttribute('aria-label'));
  }

  private folded(element: Element, role: string, depth: number, covered: string): void {
    if (role === 'caption' || element.nodeName === 'LEGEND' || (element.nodeName === 'LABEL' && this.labelsShownControl(element))) {
      return this.children(element, depth, covered || nameLike(element));
    }
    const inlineTag = inlineTags.has(element.nodeName);
    const block = !inlineTag || (!this.full && styleOf(element).display !== 'inline');
    const clickable = !covered && !this.full && this.isClickable(element);
    if (block || clickable) this.flush();
    if (clickable && element.firstElementChild && this.holdsRows(element)) {
      this.push(depth, 'generic', '', element, ['clickable']);
      this.children(element, depth + 1, covered);
    } else {
      this.children(element, depth, covered);
    }
    if (block || clickable) this.flush(clickable ? element : null);
  }

  private labelsShownControl(label: Element): boolean {
    const control = (label as HTMLLabelElement).control;
    return !!control && !control.hasAttribute('aria-label') && !control.hasAttribute('aria-labelledby');
  }

  private holdsRows(element: Element): boolean {
    return element.querySelector('a[href],button,input,select,textarea,[role],h1,h2,h3,h4,h5,h6,ul,ol,table,img,[tabindex]') !== null;
  }

  private isClickable(element: Element): boolean {
    if (element.hasAttribute('onclick') || element.hasAttribute('tabindex')) return true;
    if (element.nodeName === 'LABEL' || styleOf(element).cursor !== 'pointer') return false;
    const parent = element.parentElement;
    return !parent || styleOf(parent).cursor !== 'pointer';
  }

  private rowFor(element: Element, role: string, depth: number, covered: string): void {
    this.flush();
    if (this.omitted.has(role)) return;
    const shownRole = role || rolesOfTags[element.nodeName] || 'generic';
    const counting = this.full || !this.started;
    const name = counting ? '' : nameOf(element);
    this.push(depth, shownRole, name, element, null);
    if (leafRoles.has(role) || isFillable(element)) return;
    if (element instanceof HTMLSelectElement) return this.options(element, depth + 1);
    if (isFrameElement(element) || element.nodeName === 'VIDEO' || element.nodeName === 'AUDIO' || element.nodeName === 'CANVAS') return;
    const fromContent = takesNameFromContent(element, role, 'browser');
    const outer = this.inAtom;
    this.inAtom = name !== '' && atoms.has(role);
    this.children(element, depth + 1, fromContent ? (counting ? '*' : name) : covered);
    this.flush();
    this.inAtom = outer;
  }

  private options(select: HTMLSelectElement, depth: number): void {
    let left = 0, shown = 0;
    for (const option of select.options) {
      if (option.hidden) continue;
      if (shown++ < mostOptions || option.selected) {
        const states = [...(option.disabled ? ['disabled'] : []), ...(option.selected ? ['selected'] : [])];
        this.push(depth, 'option', collapse(option.label), null, states);
      } else {
        left++;
      }
    }
    if (left) this.push(depth, 'text', `… ${left} more options`, null, []);
  }

  private children(element: Element, depth: number, covered: string): void {
    const generated = !covered && !this.full;
    if (generated) this.addText(generatedText(element, '::before'), depth);
    eachRenderedChild(element, child => {
      if (child.nodeType === Node.ELEMENT_NODE) this.element(child as Element, depth, covered);
      else if (child.nodeType === Node.TEXT_NODE) this.textNode(child as Text, element, depth, covered);
    });
    if (generated) this.addText(generatedText(element, '::after'), depth);
  }

  private textNode(node: Text, parent: Element, depth: number, covered: string): void {
    const data = node.data;
    if (covered === '*') return;
    if (!/[^ \t\n\r\f]/.test(data)) {
      if (this.text) this.text += ' ';
      return;
    }
    const text = this.full ? data : transformed(data, parent);
    if (covered && (covered.includes(collapse(text)) || (isOrnament(text) && this.inAtom))) return;
    if (!this.full && styleOf(parent).visibility !== 'visible') return;
    this.addText(text, depth);
  }

  private addText(text: string, depth: number): void {
    if (!text) return;
    if (!this.text.trim()) this.textDepth = depth;
    this.text += text;
  }

  /** Ends the running text and makes a row of it. */
  private flush(clickable: Element | null = null): void {
    if (!this.text) return;
    const text = collapse(this.text);
    this.text = '';
    if (!text || this.omitted.has('text')) return;
    // A label beside its control was told by the control's name.
    const last = this.rows.at(-1);
    if (!clickable && !this.full && last && last[0] === this.textDepth && last[2] === text && controlRoles.has(last[1])) return;
    this.push(this.textDepth, 'text', text, clickable, clickable ? ['clickable'] : []);
  }

  private push(depth: number, role: string, name: string, element: Element | null, states: string[] | null): void {
    if (!this.started) {
      if (element && this.argument.after === knownId(element)) {
        this.started = true;
        this.afterDepth = depth;
      }
      return;
    }
    if (element) sawElement(element);
    if (this.full) {
      this.total++;
      return;
    }
    const frame = element && isFrameElement(element) ? 1 : 0;
    const shownStates = states ?? (element ? statesOf(element, role, this.focused) : []);
    const shownName = cut(name, longestName);
    // As capture prints it: two spaces a level, quotes, the ref, brackets.
    let size = depth * 2 + role.length + shownName.length + 3 + (element && !cellRoles.has(role) ? 12 : 0) + 1;
    for (const state of shownStates) size += state.length + 3;
    const {maxBytes, maxNodes} = this.argument;
    if (this.rows.length && ((maxBytes && this.bytes + size > maxBytes) || (maxNodes && this.rows.length >= maxNodes))) {
      this.full = true;
      this.total = 1;
      // A continuation starts behind an element; rows without one would be told twice.
      while (this.rows.length && this.rows[this.rows.length - 1]![3] === 0) {
        this.rows.pop();
        this.total++;
      }
      this.lastShown = this.rows.at(-1)?.[3] ?? 0;
      return;
    }
    this.bytes += size;
    const listed = element && !(cellRoles.has(role) && !this.isClickable(element)) ? element : null;
    const id = listed ? idOf(listed) : 0;
    // A report of changes does not count as giving the element out anew: its change of name is still to be told.
    if (listed && this.argument.part) rememberOnce(listed);
    else if (listed) remember(listed, id, role, name);
    this.rows.push([depth, role, shownName, id, shownStates, frame]);
  }
}

/** A letter or a sign on a control: ×, ▾, x. */
function isOrnament(text: string): boolean {
  return text.trim().length <= 2;
}

const rolesOfTags: Record<string, string> = {IFRAME: 'iframe', FRAME: 'iframe', SUMMARY: 'summary', CANVAS: 'canvas',
  VIDEO: 'video', AUDIO: 'audio', OBJECT: 'object', EMBED: 'embed'};

function nameLike(element: Element): string {
  return collapse(element.textContent ?? '') || ' ';
}

export function walk(argument: WalkArgument): Record<string, unknown> {
  let root: Element | null = document.body ?? document.documentElement;
  if (argument.root !== undefined) root = attached(argument.root);
  const walker = new Walker(argument);
  if (argument.after !== undefined && !elementOf(argument.after)?.isConnected)
    throw new PageError('element-gone', 'The element to continue after is no longer in the document');
  if (root) walker.walk(root);
  if (!walker.found)
    throw new PageError('element-gone', 'The element to continue after is no longer listed');
  return {
    url: document.URL, title: document.title, rows: walker.rows, more: walker.more(), afterDepth: walker.depthOfAfter,
    total: walker.rows.length + (walker.more()?.remaining ?? 0),
  };
}
