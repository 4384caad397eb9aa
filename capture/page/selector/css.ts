// CSS selectors with Playwright's additions (:visible, :has-text() …), matched through open shadow roots.

import {cache} from '../caches';
import {inDocumentOrder, parentOf, treeScopes} from '../dom';
import {hasVisibleBox} from '../visible';
import {invalid} from './attributes';
import {includesText, isRun, matchesRegExp, matchText} from './text';

type Combinator = '' | '>' | '+' | '~';
type Argument = Complex[] | string | number;

interface Func {
  name: string;
  args: Argument[];
}
interface Compound {
  css: string;
  functions: Func[];
}
/** `combinator` stands between a compound and the next one. */
interface Complex {
  compounds: {compound: Compound; combinator: Combinator}[];
}

export type SelectorList = Complex[];

/** Where a selector is matched: never above `scope`; `:scope` is `subject`. */
interface Context {
  scope: ParentNode;
  subject: ParentNode;
}

const withSelectors = new Set(['is', 'where', 'not', 'has', 'nth-match']);
const withStrings = new Set(['has-text', 'text', 'text-is', 'text-matches']);
const withoutArguments = new Set(['visible', 'scope']);

class Parser {
  private at = 0;
  constructor(private readonly source: string) {}

  parse(): SelectorList {
    const list = this.list(false);
    if (this.at < this.source.length) this.fail(`unexpected ${JSON.stringify(this.source.charAt(this.at))}`);
    return list;
  }

  private fail(why: string): never {
    throw invalid(this.source, why);
  }

  private peek(): string {
    return this.source.charAt(this.at);
  }

  private spaces(): boolean {
    const start = this.at;
    for (;;) {
      while (/[ \t\n\r\f]/.test(this.peek())) this.at++;
      if (!this.source.startsWith('/*', this.at)) break;
      const end = this.source.indexOf('*/', this.at + 2);
      this.at = end < 0 ? this.source.length : end + 2;
    }
    return this.at > start;
  }

  private list(relative: boolean): SelectorList {
    const list = [this.complex(relative)];
    while (this.peek() === ',') {
      this.at++;
      list.push(this.complex(relative));
    }
    return list;
  }

  private complex(relative: boolean): Complex {
    const compounds: Complex['compounds'] = [];
    this.spaces();
    if (relative && /[>+~]/.test(this.peek())) {
      const combinator = this.source.charAt(this.at++) as Combinator;
      compounds.push({compound: {css: '', functions: [{name: 'scope', args: []}]}, combinator});
      this.spaces();
    }
    for (;;) {
      const compound = this.compound();
      if (!compound.css && !compound.functions.length) this.fail('a part of it is empty');
      const spaced = this.spaces();
      const next = this.peek();
      if (next === '' || next === ',' || next === ')') {
        compounds.push({compound, combinator: ''});
        return {compounds};
      }
      let combinator: Combinator = '';
      if (/[>+~]/.test(next)) {
        combinator = next as Combinator;
        this.at++;
        this.spaces();
      } else if (!spaced) {
        this.fail(`unexpected ${JSON.stringify(next)}`);
      }
      compounds.push({compound, combinator});
    }
  }

  private compound(): Compound {
    const compound: Compound = {css: '', functions: []};
    for (;;) {
      const c = this.peek();
      if (c === '' || /[ \t\n\r\f>+~,)]/.test(c) || this.source.startsWith('/*', this.at)) break;
      if (c === '[') compound.css += this.bracket();
      else if (c === ':') this.pseudo(compound);
      else compound.css += this.plain();
    }
    if (compound.css) checkCss(compound.css, this.source);
    return compound;
  }

  private plain(): string {
    const start = this.at;
    if (this.peek() === '\\') this.at += 2;
    else if (/[.#*|]/.test(this.peek()) || /[\w\u0080-\uffff-]/.test(this.peek())) this.at++;
    else this.fail(`unexpected ${JSON.stringify(this.peek())}`);
    return this.source.slice(start, this.at);
  }

  private bracket(): string {
    const start = this.at;
    while (this.at < this.source.length && this.peek() !== ']') {
      if (this.peek() === '"' || this.peek() === "'") this.string();
      else this.at += this.peek() === '\\' ? 2 : 1;
    }
    if (this.peek() !== ']') this.fail('a ] is missing');
    this.at++;
    return this.source.slice(start, this.at);
  }

  /** A quoted string; answers its content. */
  private string(): string {
    const quote = this.source.charAt(this.at++);
    let text = '';
    while (this.at < this.source.length && this.peek() !== quote) {
      if (this.peek() === '\\') {
        const escape = /\\(?:([0-9a-fA-F]{1,6})[ \t\n\r\f]?|\r?\n|([\s\S]))/y;
        escape.lastIndex = this.at;
        const match = escape.exec(this.source);
        if (!match) this.fail('a quote is missing');
        text += match![1] ? String.fromCodePoint(parseInt(match![1], 16) || 0xfffd) : match![2] ?? '';
        this.at += match![0].length;
      } else {
        text += this.source.charAt(this.at++);
      }
    }
    if (this.peek() !== quote) this.fail('a quote is missing');
    this.at++;
    return text;
  }

  private pseudo(compound: Compound): void {
    const start = this.at;
    const match = /^::?([\w-]+)/.exec(this.source.slice(this.at));
    if (!match) this.fail('a name is missing after ":"');
    this.at += match![0].length;
    const name = match![1]!.toLowerCase();
    const hasArguments = this.peek() === '(';
    const single = !match![0].startsWith('::');
    if (single && !hasArguments && withoutArguments.has(name)) {
      compound.functions.push({name, args: []});
    } else if (single && hasArguments && (withSelectors.has(name) || withStrings.has(name))) {
      this.at++;
      compound.functions.push({name, args: withStrings.has(name) ? this.strings() : this.selectors(name)});
      if (this.peek() !== ')') this.fail('a ) is missing');
      this.at++;
    } else {
      if (hasArguments) this.parentheses();
      compound.css += this.source.slice(start, this.at);
    }
  }

  private parentheses(): void {
    let depth = 0;
    do {
      const c = this.peek();
      if (c === '') this.fail('a ) is missing');
      if (c === '"' || c === "'") {
        this.string();
        continue;
      }
      if (c === '(') depth++;
      if (c === ')') depth--;
      this.at += c === '\\' ? 2 : 1;
    } while (depth > 0);
  }

  private strings(): Argument[] {
    const args: Argument[] = [];
    do {
      if (args.length) this.at++;
      this.spaces();
      if (this.peek() === '"' || this.peek() === "'") {
        args.push(this.string());
      } else {
        const start = this.at;
        while (this.peek() !== '' && this.peek() !== ')' && this.peek() !== ',') this.at++;
        args.push(this.source.slice(start, this.at).trim());
      }
      this.spaces();
    } while (this.peek() === ',');
    if (args.length === 1 && args[0] === '') this.fail('a text is missing');
    return args;
  }

  private selectors(name: string): Argument[] {
    if (name !== 'nth-match') return [this.list(name === 'has')];
    const list: Complex[] = [];
    for (;;) {
      this.spaces();
      const number = /^\d+(?=\s*\))/.exec(this.source.slice(this.at));
      if (number && list.length) {
        this.at += number[0].length;
        this.spaces();
        return [list, Number(number[0])];
      }
      list.push(this.complex(false));
      if (this.peek() !== ',') this.fail(':nth-match() ends with the number wanted');
      this.at++;
    }
  }
}

const fragment = document.createDocumentFragment();

function checkCss(css: string, source: string): void {
  try {
    fragment.querySelector(css);
  } catch {
    throw invalid(source, `${JSON.stringify(css)} is not CSS`);
  }
}

export function parseCss(source: string): SelectorList {
  return new Parser(source.trim()).parse();
}

const found = cache<string, Element[]>();
const scopesOf = cache<ParentNode, ParentNode[]>();
const scopeNumbers = new WeakMap<ParentNode, number>();
let lastNumber = 0;

/** Spares this stretch of work the search for shadow trees in a scope that is known to have none. */
export function hasNoShadowTrees(scope: ParentNode): void {
  scopesOf.set(scope, [scope]);
}

/** Native querySelectorAll over all open shadow roots. */
export function queryNative(scope: ParentNode, css: string): Element[] {
  let number = scopeNumbers.get(scope);
  if (number === undefined) scopeNumbers.set(scope, (number = ++lastNumber));
  const key = `${number} ${css}`;
  let elements = found.get(key);
  if (elements) return elements;
  let scopes = scopesOf.get(scope);
  if (!scopes) scopesOf.set(scope, (scopes = treeScopes(scope)));
  elements = scopes.flatMap(s => [...s.querySelectorAll(css)]);
  if (scopes.length > 1) elements = inDocumentOrder(elements);
  found.set(key, elements);
  return elements;
}

export function queryCss(scope: ParentNode, list: SelectorList): Element[] {
  return queryList(list, {scope, subject: scope});
}

function queryList(list: SelectorList, context: Context): Element[] {
  if (list.length === 1) return queryComplex(list[0]!, context);
  return inDocumentOrder(list.flatMap(complex => queryComplex(complex, context)));
}

function usesScope(complex: Complex): boolean {
  return complex.compounds.some(({compound}) => compound.functions.some(f => f.name === 'scope'));
}

/** A selector that names :scope may look at the scope element itself, as one step further up. */
function widened(complex: Complex, context: Context): Context {
  if (!(context.scope instanceof Element) || !usesScope(complex)) return context;
  const parent = parentOf(context.scope) ?? (context.scope.getRootNode() as ParentNode);
  return {scope: parent, subject: context.subject};
}

function queryComplex(complex: Complex, outer: Context): Element[] {
  const context = widened(complex, outer);
  const last = complex.compounds.length - 1;
  const {compound} = complex.compounds[last]!;
  const nth = compound.functions.find(f => f.name === 'nth-match');
  const candidates = nth && !compound.css ? nthMatch(nth, context) : queryNative(context.scope, compound.css || '*');
  return candidates.filter(e => matchesCompound(e, compound, context) && matchesAbove(e, complex, last - 1, context));
}

function nthMatch(func: Func, context: Context): Element[] {
  const element = queryList(func.args[0] as SelectorList, context)[(func.args[1] as number) - 1];
  return element ? [element] : [];
}

function matchesComplex(element: Element, complex: Complex, outer: Context): boolean {
  const context = widened(complex, outer);
  const last = complex.compounds.length - 1;
  return matchesCompound(element, complex.compounds[last]!.compound, context) &&
    matchesAbove(element, complex, last - 1, context);
}

function matchesCompound(element: Element, compound: Compound, context: Context): boolean {
  if (element === context.scope) return false;
  if (compound.css && !element.matches(compound.css)) return false;
  return compound.functions.every(f => matchesFunction(element, f, context));
}

function matchesFunction(element: Element, func: Func, context: Context): boolean {
  const [first, second] = func.args;
  switch (func.name) {
    case 'visible': return hasVisibleBox(element);
    case 'scope':
      return context.subject instanceof Document ? element === context.subject.documentElement : element === context.subject;
    case 'is':
    case 'where': return (first as SelectorList).some(c => matchesComplex(element, c, context));
    case 'not': return !(first as SelectorList).some(c => matchesComplex(element, c, context));
    case 'has': return queryList(first as SelectorList, {scope: element, subject: element}).length > 0;
    case 'nth-match': return nthMatch(func, context).includes(element);
    case 'has-text': return matchText(element, includesText(first as string)) !== 'none';
    case 'text': return matchText(element, includesText(first as string)) === 'self';
    case 'text-is': return matchText(element, isRun(first as string)) !== 'none';
    case 'text-matches':
      return matchText(element, matchesRegExp(expressionOf(first as string, second as string | undefined))) === 'self';
    default: return false;
  }
}

function expressionOf(source: string, flags: string | undefined): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw invalid(source, (error as Error).message);
  }
}

function up(element: Element, context: Context): Element | null {
  return element === context.scope ? null : parentOf(element);
}

function matchesAbove(element: Element, complex: Complex, index: number, context: Context): boolean {
  if (index < 0) return true;
  const {compound, combinator} = complex.compounds[index]!;
  const step = combinator === '+' || combinator === '~' ? (e: Element) => e.previousElementSibling : (e: Element) => up(e, context);
  const once = combinator === '>' || combinator === '+';
  for (let e = step(element); e; e = step(e)) {
    if (matchesCompound(e, compound, context) && matchesAbove(e, complex, index - 1, context)) return true;
    if (once) return false;
  }
  return false;
}
