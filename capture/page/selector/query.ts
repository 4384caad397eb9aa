// Selectors as people write them for Playwright: CSS, role=, text=, xpath=, nth=, visible=, chained by >>.

import {byIds, inDocumentOrder} from '../dom';
import {labelsOf} from '../labels';
import {attached, defaultTestAttributes} from '../describe';
import {rememberOnce} from '../identity';
import {normalise} from '../text';
import {hasVisibleBox, isUsable} from '../visible';
import {compare, invalid, parseAttributes} from './attributes';
import {parseCss, queryCss, queryNative} from './css';
import {queryRole, type Rules} from './role';
import {includesText, isRun, isText, matchesRegExp, matchText, textOfElement, type ElementText, type TextTest} from './text';

export interface Part {
  engine: string;
  body: string;
}

/** Cuts a selector at its `>>`, outside quotes. */
export function splitSelector(selector: string): Part[] {
  const parts: Part[] = [];
  let start = 0, at = 0;
  let quote = '';
  const append = () => {
    const text = selector.slice(start, at).trim();
    if (!text) throw invalid(selector, 'a part of it is empty');
    parts.push(partOf(text));
  };
  while (at < selector.length) {
    const c = selector.charAt(at);
    if (c === '\\') {
      at += 2;
    } else if (quote) {
      if (c === quote) quote = '';
      at++;
    } else if ((c === '"' || c === "'" || c === '`') && !/^\s*text\s*=\s*[^\s"']/.test(selector.slice(start, at))) {
      // Inside `text=it's` a quote is a letter.
      quote = c;
      at++;
    } else if (c === '>' && selector[at + 1] === '>') {
      append();
      at += 2;
      start = at;
    } else {
      at++;
    }
  }
  append();
  return parts;
}

function partOf(text: string): Part {
  const engine = /^([\w:*+-]+)\s*=/.exec(text);
  if (engine) return {engine: engine[1]!, body: text.slice(engine[0].length)};
  if (text.length > 1 && ((text.startsWith('"') && text.endsWith('"')) || (text.startsWith("'") && text.endsWith("'"))))
    return {engine: 'text', body: text};
  if (/^\(*\/\//.test(text) || text.startsWith('..')) return {engine: 'xpath', body: text};
  return {engine: 'css', body: text};
}

interface TextMatcher {
  test: TextTest;
  kind: 'regex' | 'strict' | 'lax';
}

function unquote(text: string): string {
  return text.slice(1, -1).replace(/\\([\s\S])/g, '$1');
}

/** `Save` is looked for inside, whatever its case; `"Save"` is the whole text of a text node; `/…/` an expression. */
function textMatcher(body: string, selector: string): TextMatcher {
  const expression = regExpOf(body, selector);
  if (expression) return {test: matchesRegExp(expression), kind: 'regex'};
  if (body.length > 1 && /^(["'])[\s\S]*\1$/.test(body)) return {test: isRun(unquote(body)), kind: 'strict'};
  return {test: includesText(body), kind: 'lax'};
}

/** The same of `internal:text=` and its like: a JSON string with `i` (inside) or `s` (whole) behind it. */
export function internalMatcher(body: string, selector: string): TextMatcher {
  const expression = regExpOf(body, selector);
  if (expression) return {test: matchesRegExp(expression), kind: 'regex'};
  const match = /^("(?:\\.|[^"\\])*")([is]?)$/s.exec(body);
  if (!match) return {test: includesText(body), kind: 'lax'};
  let text: string;
  try {
    text = JSON.parse(match[1]!);
  } catch {
    throw invalid(selector, 'the text is not a JSON string');
  }
  return match[2] === 'i' ? {test: includesText(text), kind: 'lax'} : {test: isText(text), kind: 'strict'};
}

function regExpOf(body: string, selector: string): RegExp | undefined {
  const slash = body.lastIndexOf('/');
  if (!body.startsWith('/') || slash <= 0) return undefined;
  try {
    return new RegExp(body.slice(1, slash), body.slice(slash + 1));
  } catch (error) {
    throw invalid(selector, (error as Error).message);
  }
}

function queryText(scope: ParentNode, {test, kind}: TextMatcher, internal: boolean): Element[] {
  const result: Element[] = [];
  let missed: Element | null = null;
  const visit = (element: Element) => {
    // What a whole does not contain, no part of it does (true for substrings alone).
    if (kind === 'lax' && missed?.contains(element)) return;
    const match = matchText(element, test);
    if (match === 'none') missed = element;
    if (match === 'self' || (match === 'child' && kind === 'strict' && !internal)) result.push(element);
  };
  if (scope instanceof Element) visit(scope);
  for (const element of queryNative(scope, '*')) visit(element);
  return result;
}

function asText(text: string): ElementText {
  return {full: text, normalised: normalise(text), immediate: [text]};
}

/** The texts that label a control for Playwright's getByLabel. */
export function labelTexts(element: Element): ElementText[] {
  if (element.hasAttribute('aria-labelledby')) {
    const labels = byIds(element, element.getAttribute('aria-labelledby'));
    if (labels.length) return labels.map(textOfElement);
  }
  const label = element.getAttribute('aria-label');
  if (label?.trim()) return [asText(label)];
  return labelsOf(element).map(textOfElement);
}

const labelled = '[aria-label],[aria-labelledby],button,input,meter,output,progress,select,textarea';

function queryXPath(scope: ParentNode, body: string, selector: string): Element[] {
  // Relative to the element it starts from.
  const expression = body.startsWith('/') && !(scope instanceof Document) ? '.' + body : body;
  const found: Element[] = [];
  try {
    const result = document.evaluate(expression, scope, null, XPathResult.ORDERED_NODE_ITERATOR_TYPE);
    for (let node = result.iterateNext(); node; node = result.iterateNext())
      if (node instanceof Element) found.push(node);
  } catch {
    throw invalid(selector, `${JSON.stringify(body)} is not an XPath expression for elements`);
  }
  return found;
}

function queryAttribute(scope: ParentNode, body: string, selector: string): Element[] {
  const {attributes: [part]} = parseAttributes(body);
  if (!part) throw invalid(selector, 'an attribute is missing');
  const names = part.name.split(',');
  // As getByPlaceholder and its like: not exact is inside, whatever its case.
  const test = part.operator === '=' && !part.caseSensitive && typeof part.value === 'string'
    ? {...part, operator: '*=' as const} : part;
  return queryNative(scope, names.map(name => `[${CSS.escape(name)}]`).join(','))
    .filter(e => names.some(name => e.hasAttribute(name) && compare(e.getAttribute(name)!, test)));
}

export function queryPart(scope: ParentNode, part: Part, selector: string, rules: Rules): Element[] {
  const {engine} = part;
  const body = engine === 'css' ? part.body : part.body.trim();
  switch (engine) {
    case 'css': return queryCss(scope, parseCss(body));
    case 'text': return queryText(scope, textMatcher(body, selector), false);
    case 'role': return queryRole(scope, body, false, rules);
    case 'xpath': return queryXPath(scope, body, selector);
    case 'id':
    case 'data-testid':
    case 'data-test-id':
    case 'data-test': return queryNative(scope, `[${engine}=${JSON.stringify(body)}]`);
    case 'visible':
      if (!(scope instanceof Element)) return [];
      return hasVisibleBox(scope) === (body === 'true') ? [scope] : [];
    case 'internal:role': return queryRole(scope, body, true, rules);
    case 'internal:text': return queryText(scope, internalMatcher(body, selector), true);
    case 'internal:attr':
    case 'internal:testid': return queryAttribute(scope, body, selector);
    case 'internal:label': {
      const {test} = internalMatcher(body, selector);
      return queryNative(scope, labelled).filter(e => labelTexts(e).some(test));
    }
    case 'internal:has-text': {
      const {test} = internalMatcher(body, selector);
      return scope instanceof Element && test(textOfElement(scope)) ? [scope] : [];
    }
    default: throw invalid(selector, `there is no engine ${JSON.stringify(engine)}`);
  }
}

/** Every match, in document order. */
export function findAll(selector: string, root: ParentNode = document, rules: Rules = 'either'): Element[] {
  if (!selector.trim()) throw invalid(selector, 'it is empty');
  const parts = splitSelector(selector);
  if (parts[0]!.engine === 'nth' || parts[0]!.engine === 'visible') throw invalid(selector, `it begins with ${parts[0]!.engine}=`);
  let elements: (ParentNode & Node)[] = [root as ParentNode & Node];
  for (const part of parts) {
    if (part.engine === 'nth') {
      const index = Number(part.body);
      if (!Number.isInteger(index)) throw invalid(selector, 'nth= wants a whole number');
      const one = elements.at(index === -1 ? -1 : index < 0 ? elements.length : index);
      elements = one ? [one] : [];
      continue;
    }
    const next = new Set<Element>();
    for (const scope of elements) for (const element of queryPart(scope, part, selector, rules)) next.add(element);
    elements = elements.length > 1 ? inDocumentOrder(next) : [...next];
  }
  return elements as Element[];
}

export interface QueryArgument {
  selector: string;
  root?: number;
  testAttributes?: string[];
  limit?: number;
  visibleOnly?: boolean;
  rules?: Rules;
}

/** `testid=…` stands for the session's test attributes. */
export function withTestAttributes(selector: string, attributes = defaultTestAttributes): string {
  if (!/(?:^|>>)\s*testid\s*=/.test(selector)) return selector;
  return splitSelector(selector).map(({engine, body}) =>
    engine === 'testid' ? 'css=' + attributes.map(a => `[${a}=${JSON.stringify(body.trim().replace(/^(["'])([\s\S]*)\1$/, '$2'))}]`).join(',')
                        : `${engine}=${body}`).join(' >> ');
}

export function query(argument: QueryArgument): Record<string, unknown> {
  const root = argument.root === undefined ? document : attached(argument.root);
  const selector = withTestAttributes(argument.selector, argument.testAttributes);
  const all = findAll(selector, root, argument.rules ?? 'either');
  const ids: number[] = [];
  const visible: boolean[] = [];
  const limit = argument.limit ?? 1000;
  let hidden = 0;
  for (const element of all) {
    const usable = isUsable(element);
    if (!usable) hidden++;
    if ((argument.visibleOnly && !usable) || ids.length >= limit) continue;
    ids.push(rememberOnce(element));
    visible.push(usable);
  }
  return {ids, visible, total: all.length, hidden};
}
