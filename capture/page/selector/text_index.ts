// The text of the whole document, once: a search for a text in it is one indexOf, whatever the number of elements. It is the text of
// ./text (and so Playwright's), with white space collapsed; elements are intervals of it.

import {cache} from '../caches';
import {mayHaveGeneratedText} from '../generated';
import {normalise} from '../text';
import {hasNoShadowTrees} from './css';

/** Texts of elements that come from elsewhere than their text nodes. */
const namingAttributes = ['aria-label', 'aria-labelledby', 'aria-owns', 'aria-placeholder', 'aria-valuenow', 'aria-valuetext', 'alt',
  'placeholder', 'summary', 'title', 'value'];
const namingTags = new Set(['AREA', 'IMG', 'INPUT', 'METER', 'OUTPUT', 'PROGRESS', 'SELECT', 'SLOT', 'TEXTAREA']);
/** Blocks: a name has a space where one begins or ends. */
const apart = new Set(['ADDRESS', 'ARTICLE', 'ASIDE', 'BLOCKQUOTE', 'BODY', 'BR', 'BUTTON', 'CAPTION', 'DD', 'DETAILS', 'DIV', 'DL', 'DT', 'FIELDSET',
  'FIGCAPTION', 'FIGURE', 'FOOTER', 'FORM', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'HEADER', 'HR', 'LEGEND', 'LI', 'MAIN', 'NAV', 'OL',
  'P', 'PRE', 'SECTION', 'SUMMARY', 'TABLE', 'TBODY', 'TD', 'TFOOT', 'TH', 'THEAD', 'TR', 'UL']);

const blank = 32;
/** What is not kept as it is: zero-width letters, runs of white space and all white space but the space. */
const rewritten = /[\u200b\u00ad]| \s|[^\S ]/;

export class TextIndex {
  private text = '';
  private lower = '';
  private readonly numbers = new Map<Element, number>();
  private readonly elements: Element[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly parents: number[] = [];
  /** Elements whose accessible name may hold more than their text. */
  private readonly mayBeNamedOtherwise: boolean[] = [];
  private readonly found = new Map<string, number[]>();

  /** Undefined where the intervals would not be true: shadow trees, and letters whose lower case is longer. */
  static of(document: Document): TextIndex | undefined {
    if (!document.documentElement) return undefined;
    const index = new TextIndex();
    const generated = mayHaveGeneratedText(document);
    const named = new Set<Element | null>(generated === 'all' ? [] : generated);
    for (const label of document.querySelectorAll('label')) named.add(label.control);
    return index.build(document.documentElement, document.head, named, generated === 'all') ? index : undefined;
  }

  private build(root: Element, head: Element | null, named: Set<Element | null>, all: boolean): boolean {
    const pieces: string[] = [];
    let length = 0, endsBlank = true, endsGlued = false, inside = -1;
    const add = (data: string) => {
      let piece = data;
      if (rewritten.test(piece)) piece = piece.replace(/[\u200b\u00ad]/g, '').replace(/\s+/g, ' ');
      if (endsBlank && piece.charCodeAt(0) === blank) piece = piece.slice(1);
      if (!piece) return;
      // A word over a border: what a name leaves out, being hidden, may have cut it.
      if (endsGlued && piece.charCodeAt(0) !== blank) this.mayBeNamedOtherwise[inside] = true;
      pieces.push(piece);
      length += piece.length;
      endsBlank = piece.charCodeAt(piece.length - 1) === blank;
      endsGlued = !endsBlank;
    };
    const enter = (element: Element): boolean => {
      if (element.shadowRoot) return false;
      const name = element.nodeName;
      const number = this.elements.length;
      this.numbers.set(element, number);
      this.elements.push(element);
      this.starts.push(length);
      this.ends.push(length);
      this.parents.push(inside);
      this.mayBeNamedOtherwise.push(
        all || namingTags.has(name) || named.has(element) ||
        (element.hasAttributes() && namingAttributes.some(attribute => element.hasAttribute(attribute))));
      inside = number;
      if (apart.has(name)) endsGlued = false;
      return true;
    };
    const leave = () => {
      const number = inside, element = this.elements[number]!;
      this.ends[number] = length;
      if (apart.has(element.nodeName)) endsGlued = false;
      inside = this.parents[number]!;
      if (inside >= 0 && this.mayBeNamedOtherwise[number]) this.mayBeNamedOtherwise[inside] = true;
    };
    if (!enter(root)) return false;
    for (let node: Node | null = root.firstChild, parent: Node = root;;) {
      if (!node) {
        leave();
        if (parent === root) break;
        node = parent.nextSibling;
        parent = parent.parentNode!;
        continue;
      }
      if (node.nodeType === Node.TEXT_NODE) {
        add((node as Text).data);
      } else if (node.nodeType === Node.ELEMENT_NODE) {
        const element = node as Element;
        if (!enter(element)) return false;
        const name = element.nodeName;
        const silent = name === 'SCRIPT' || name === 'NOSCRIPT' || name === 'STYLE' || element === head;
        if (name === 'INPUT' && /^(?:submit|button|reset)$/.test((element as HTMLInputElement).type)) {
          add((element as HTMLInputElement).value);
        } else if (!silent && element.firstChild) {
          parent = element;
          node = element.firstChild;
          continue;
        }
        leave();
      }
      node = node.nextSibling;
    }
    this.text = pieces.join('');
    this.lower = this.text.toLowerCase();
    return this.lower.length === this.text.length;
  }

  has(element: Element): boolean {
    return this.numbers.has(element);
  }

  /** Where a normalised text begins, in order. */
  private occurrences(wanted: string, exactCase: boolean): number[] {
    const key = (exactCase ? 's' : 'i') + wanted;
    let found = this.found.get(key);
    if (found) return found;
    this.found.set(key, (found = []));
    const text = exactCase ? this.text : this.lower, needle = exactCase ? wanted : wanted.toLowerCase();
    for (let at = text.indexOf(needle); needle && at >= 0; at = text.indexOf(needle, at + 1)) found.push(at);
    return found;
  }

  private occursIn(number: number, wanted: string, exactCase: boolean): boolean {
    const found = this.occurrences(wanted, exactCase), start = this.starts[number]!;
    let low = 0, high = found.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (found[middle]! < start) low = middle + 1;
      else high = middle;
    }
    return low < found.length && found[low]! + wanted.length <= this.ends[number]!;
  }

  /** Whether the element's text contains a normalised text, whatever its case. */
  contains(element: Element, wanted: string): boolean {
    return this.occursIn(this.numbers.get(element)!, wanted, false);
  }

  /** False when the accessible name of the element cannot contain the text, whatever its case. */
  mayBeNamed(element: Element, wanted: string): boolean {
    const number = this.numbers.get(element)!;
    // Names have spaces where elements end; the words must be there.
    return this.mayBeNamedOtherwise[number]! || wanted.split(' ').every(word => this.occursIn(number, word, false));
  }

  /**
   * The innermost elements whose text contains the (normalised) text or, when exact, is it: in `scope` and that itself, in document
   * order. What internal:text= finds.
   */
  innermost(scope: Element, wanted: string, exact: boolean): Element[] {
    const numbers = new Set<number>();
    for (const number of this.around(scope, wanted, exact))
      if (!exact || normalise(this.text.slice(this.starts[number]!, this.ends[number]!)) === wanted) numbers.add(number);
    // What holds another one of them is not innermost.
    const above = new Set<number>();
    for (const number of numbers)
      for (let up = this.parents[number]!; up >= 0 && !above.has(up); up = this.parents[up]!) above.add(up);
    for (const number of above) numbers.delete(number);
    return [...numbers].sort((a, b) => a - b).map(number => this.elements[number]!);
  }

  /** The elements of `text="…"`, with one run of text that is the quoted one; undefined for its other forms. */
  withRun(scope: Element, body: string): Element[] | undefined {
    if (!/^"(?:\\.|[^"\\])+"$/s.test(body)) return undefined;
    const wanted = normalise(body.slice(1, -1).replace(/\\([\s\S])/g, '$1'));
    if (!wanted) return undefined;
    const numbers = [...this.around(scope, wanted, true)].sort((a, b) => a - b);
    return numbers.map(number => this.elements[number]!).filter(element => {
      let run = '', found = false;
      const end = () => { found ||= normalise(run) === wanted; run = ''; };
      for (let child = element.firstChild; child; child = child.nextSibling) {
        if (child.nodeType === Node.TEXT_NODE) run += (child as Text).data;
        else if (child.nodeType !== Node.COMMENT_NODE) end();
      }
      end();
      return found || (element instanceof HTMLInputElement && normalise(element.value) === wanted);
    });
  }

  /** For every occurrence the smallest element around it, in `scope` and that itself. */
  private around(scope: Element, wanted: string, exactCase: boolean): Set<number> {
    const outer = this.numbers.get(scope)!;
    const numbers = new Set<number>();
    for (const at of this.occurrences(wanted, exactCase)) {
      const end = at + wanted.length;
      if (at < this.starts[outer]! || end > this.ends[outer]!) continue;
      let number = this.lastBeginningAt(at);
      while (number >= 0 && this.ends[number]! < end) number = this.parents[number]!;
      if (number >= outer) numbers.add(number);
    }
    return numbers;
  }

  /** The last element that begins at or before the offset and has not ended there. */
  private lastBeginningAt(at: number): number {
    let low = 0, high = this.starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle]! <= at) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

const indexes = cache<Document, TextIndex | 'none'>();

/** The index of this stretch of work, made when first asked for. */
export function textIndex(document: Document): TextIndex | undefined {
  let index = indexes.get(document);
  if (!index) {
    indexes.set(document, (index = TextIndex.of(document) ?? 'none'));
    if (index !== 'none') hasNoShadowTrees(document);
  }
  return index === 'none' ? undefined : index;
}
