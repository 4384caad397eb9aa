// How many elements a locator finds, without asking all of them: the text index names those that can match, whoever wants to know
// whether it is one stops at the second, and the whole has a time after which the counts are lower bounds.

import {inDocumentOrder} from '../dom';
import {internalMatcher, queryPart, splitSelector, type Part} from '../selector/query';
import {matchesRole, parseRole, rolePool} from '../selector/role';
import {matchText, textOfElement} from '../selector/text';
import {textIndex, type TextIndex} from '../selector/text_index';
import {normalise} from '../text';

/** More matches than this are not counted. */
export const mostCounted = 100;
const patience = 250;  // ms; of all locators of one element, the index aside: for pages whose names the index does not know

export interface Matches {
  /** In document order; the first of them when not complete. */
  elements: Element[];
  complete: boolean;
}

const all = Infinity;

export class Counting {
  private readonly known = new Map<string, Matches & {limit: number}>();
  private until: number | undefined;
  private asked = 0;

  /** Whether the time is up; looked at now and then. */
  private late(): boolean {
    if (++this.asked & 7) return false;
    this.until ??= performance.now() + patience;
    return performance.now() > this.until;
  }

  matches(selector: string, limit = mostCounted): Matches {
    const found = this.known.get(selector);
    if (found && (found.complete || found.limit >= limit)) return found;
    const parts = splitSelector(selector);
    const matches = this.chain(parts, limit);
    this.known.set(selector, {...matches, limit});
    return matches;
  }

  isUnique(selector: string, element: Element): boolean {
    const {elements, complete} = this.matches(selector, 1);
    return complete && elements.length === 1 && elements[0] === element;
  }

  /** Whether a selector of one part finds the element, however many others it finds. */
  finds(selector: string, element: Element): boolean {
    const {elements, complete} = this.matches(selector);
    if (complete || elements.includes(element)) return elements.includes(element);
    const [part, ...more] = splitSelector(selector);
    if (!part || more.length) return false;
    switch (part.engine) {
      case 'internal:role': return matchesRole(element, parseRole(part.body, true), 'playwright');
      case 'internal:text': return matchText(element, internalMatcher(part.body, selector).test) === 'self';
      default: return true;  // asked only of what was made from the element's own label or attribute
    }
  }

  private chain(parts: Part[], limit: number): Matches {
    if (parts.length === 1) return this.step([document], parts[0]!, limit);
    const last = parts.at(-1)!, before = parts.slice(0, -1);
    const filter = last.engine === 'internal:has-text' ? this.textFilter(last) : undefined;
    if (filter && before.length === 1 && before[0]!.engine === 'internal:role')
      return this.roles(document, before[0]!, limit, filter);
    const outer = this.matches(before.map(({engine, body}) => `${engine}=${body}`).join(' >> '), all);
    if (!outer.complete) return {elements: [], complete: false};
    if (filter) return this.filtered(outer.elements, filter, limit);
    return this.step(outer.elements, last, limit);
  }

  private step(scopes: (Document | Element)[], part: Part, limit: number): Matches {
    const found = new Set<Element>();
    let complete = true;
    for (const scope of scopes) {
      const matches = this.inScope(scope, part, scopes.length === 1 ? limit : all);
      for (const element of matches.elements) found.add(element);
      complete &&= matches.complete;
    }
    return {elements: scopes.length > 1 ? inDocumentOrder(found) : [...found], complete};
  }

  private inScope(scope: Document | Element, part: Part, limit: number): Matches {
    if (part.engine === 'internal:role') return this.roles(scope, part, limit);
    const index = part.engine === 'internal:text' ? this.indexFor(scope) : undefined;
    const match = index && /^("(?:\\.|[^"\\])*")([is])$/s.exec(part.body);
    if (part.engine === 'text') {
      const runs = this.indexFor(scope)?.withRun(scope instanceof Document ? scope.documentElement : scope, part.body);
      if (runs) return {elements: runs.slice(0, limit), complete: runs.length <= limit};
    }
    if (index && match) {
      const root = scope instanceof Document ? scope.documentElement : scope;
      const wanted = normalise(JSON.parse(match[1]!) as string);
      if (wanted) return {elements: index.innermost(root, wanted, match[2] === 's'), complete: true};
    }
    // Without shadow trees the browser's own search finds what Playwright's does.
    if (part.engine === 'css' && scope instanceof Document && textIndex(scope)) {
      const elements = [...scope.querySelectorAll(part.body)];
      return {elements: elements.slice(0, limit), complete: elements.length <= limit};
    }
    if (part.engine === 'internal:label' || part.engine === 'internal:text') {
      if (this.late()) return {elements: [], complete: false};
    }
    return {elements: queryPart(scope, part, part.body, 'playwright'), complete: true};
  }

  private roles(scope: Document | Element, part: Part, limit: number, filter?: (element: Element) => boolean): Matches {
    const query = parseRole(part.body, true);
    const index = this.indexFor(scope);
    const wanted = typeof query.name?.value === 'string' && (query.name.operator === '=' || query.name.operator === '*=') ? query.name.value : '';
    const may = index && wanted ? (element: Element) => !index.has(element) || index.mayBeNamed(element, wanted) : undefined;
    return this.filtered(rolePool(scope, query.role), element =>
      (!may || may(element)) && (!filter || filter(element)) && matchesRole(element, query, 'playwright'), limit);
  }

  private filtered(pool: Element[], test: (element: Element) => boolean, limit: number): Matches {
    const elements: Element[] = [];
    for (const element of pool) {
      if (this.late()) return {elements, complete: false};
      if (!test(element)) continue;
      if (elements.length >= limit) return {elements, complete: false};
      elements.push(element);
    }
    return {elements, complete: true};
  }

  private textFilter(part: Part): (element: Element) => boolean {
    const {test} = internalMatcher(part.body, part.body);
    const match = /^("(?:\\.|[^"\\])*")i$/s.exec(part.body);
    const wanted = match ? normalise(JSON.parse(match[1]!) as string) : '';
    const index = wanted ? this.indexFor(document) : undefined;
    return element => (index?.has(element) ? index.contains(element, wanted) : test(textOfElement(element)));
  }

  /** Of small scopes no index is made. */
  private indexFor(scope: Document | Element): TextIndex | undefined {
    if (scope instanceof Element && scope.getElementsByTagName('*').length < 500) return undefined;
    return textIndex(document);
  }
}
