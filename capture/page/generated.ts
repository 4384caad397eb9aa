// Text that CSS generates: `content` of ::before and ::after, and of elements themselves.

import {cache} from './caches';
import {styleOf} from './visible';

type Place = '::before' | '::after' | '';

const caches: Record<Place, Map<Element, string>> = {'::before': cache(), '::after': cache(), '': cache()};

/** What is generated there, with spaces around what is not inline; '' when nothing is. */
export function generatedText(element: Element, place: Place): string {
  if (place ? !mayGenerate(element) : !mayReplace(element)) return '';
  const known = caches[place].get(element);
  if (known !== undefined) return known;
  const style = place ? getComputedStyle(element, place) : styleOf(element);
  const content = style.content;
  let text = '';
  if (content && content !== 'none' && content !== 'normal' && style.display !== 'none' && style.visibility !== 'hidden') {
    text = parseContent(content, element, place !== '') ?? '';
    if (place && text && style.display !== 'inline') text = ` ${text} `;
  }
  caches[place].set(element, text);
  return text;
}

/** A computed `content` value as text: strings and attr(); the alternative text behind a slash comes instead. */
function parseContent(content: string, element: Element, isPseudo: boolean): string | undefined {
  const parts: (string | null)[] = [];
  let slash = -1;
  const token = /\s*(?:"((?:\\[\s\S]|[^"\\])*)"|attr\(\s*([\w-]+)\s*\)|(\/)|([\w-]+\([^)]*\)|[^\s"\/]+))/y;
  for (let match; (match = token.exec(content));) {
    if (match[1] !== undefined) parts.push(unescapeCss(match[1]));
    else if (match[2] !== undefined) parts.push(element.getAttribute(match[2]) ?? '');
    else if (match[3]) slash = parts.length;
    else parts.push(null);
  }
  if (slash < 0 && !isPseudo) return undefined;
  const shown = slash < 0 ? parts : parts.slice(slash);
  return shown.includes(null) ? undefined : shown.join('');
}

function unescapeCss(text: string): string {
  return text.replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi,
                      (_, hex, char) => (hex ? String.fromCodePoint(parseInt(hex, 16) || 0xfffd) : char === '\n' ? '' : char));
}

// Computed styles of pseudo-elements are dear, and few elements have any that show text. The style sheets tell which.

interface Generating {
  /** Selectors of elements with generated text. */
  selectors: string[];
  /** Some rule could not be read: every element may have some. */
  unknown: boolean;
  /** Some rule sets `content` of elements themselves. */
  replaces: boolean;
}

const largeSheet = 300;
const largeSheets = new WeakMap<CSSStyleSheet, {rules: number; found: Generating}>();

function scanSheet(sheet: CSSStyleSheet): Generating {
  let rules: CSSRuleList;
  try {
    rules = sheet.cssRules;
  } catch {
    return {selectors: [], unknown: true, replaces: true};
  }
  const known = largeSheets.get(sheet);
  if (known?.rules === rules.length) return known.found;
  const found: Generating = {selectors: [], unknown: false, replaces: false};
  scanRules(rules, found);
  if (rules.length >= largeSheet) largeSheets.set(sheet, {rules: rules.length, found});
  return found;
}

function scanRules(rules: CSSRuleList, found: Generating): void {
  for (let i = 0; i < rules.length; i++) {
    const rule = rules[i]!;
    if (rule instanceof CSSStyleRule) {
      const content = rule.style.content;
      if (content && !/^(?:""|''|none|normal|inherit|initial|unset)$/.test(content)) scanSelector(rule.selectorText, found);
      if (rule.cssRules.length) scanNested(rule.cssRules, found);
    } else if (rule instanceof CSSImportRule) {
      if (!rule.styleSheet) continue;
      const inner = scanSheet(rule.styleSheet);
      found.selectors.push(...inner.selectors);
      found.unknown ||= inner.unknown;
      found.replaces ||= inner.replaces;
    } else if ('cssRules' in rule && !(rule instanceof CSSKeyframesRule)) {
      scanRules(rule.cssRules as CSSRuleList, found);
    }
  }
}

/** Nested selectors are relative to others: only whether there is generated text is told. */
function scanNested(rules: CSSRuleList, found: Generating): void {
  const inner: Generating = {selectors: [], unknown: false, replaces: false};
  scanRules(rules, inner);
  if (inner.selectors.length || inner.unknown || inner.replaces) found.unknown = found.replaces = true;
}

function scanSelector(text: string, found: Generating): void {
  if (!/::?(?:before|after)\b/.test(text)) {
    found.replaces = true;
    return;
  }
  if (/[&()]|:host|::slotted|::part/.test(text)) {
    found.unknown = true;
    return;
  }
  for (const part of text.split(',')) {
    const base = part.replace(/::?(?:before|after)\b.*$/, '').trim();
    if (base === part.trim()) found.replaces = true;
    // After a combinator, any element.
    else found.selectors.push(base === '' ? '*' : /[\s>+~]$/.test(part.replace(/::?(?:before|after)\b.*$/, '')) ? `${base} *` : base);
  }
}

interface ScopeVerdict {
  elements: Set<Element> | 'all';
  replaces: boolean;
}
const verdicts = cache<Node, ScopeVerdict>();

function verdictOf(element: Element): ScopeVerdict {
  const root = element.getRootNode();
  let verdict = verdicts.get(root);
  if (verdict) return verdict;
  const found: Generating = {selectors: ['q'], unknown: false, replaces: false};
  // A disconnected tree has no style at all.
  if (root instanceof Document || root instanceof ShadowRoot) {
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
      const {selectors, unknown, replaces} = scanSheet(sheet);
      found.selectors.push(...selectors);
      found.unknown ||= unknown;
      found.replaces ||= replaces;
    }
    // Rules of an outer tree reach into shadow trees by ::part alone; those of an inner one reach slotted nodes.
    verdict = {elements: found.unknown ? 'all' : select(root, found.selectors), replaces: found.replaces};
  } else {
    verdict = {elements: new Set(), replaces: false};
  }
  verdicts.set(root, verdict);
  return verdict;
}

function select(root: Document | ShadowRoot, selectors: string[]): Set<Element> | 'all' {
  try {
    return new Set(root.querySelectorAll([...new Set(selectors)].join(',')));
  } catch {
    return 'all';
  }
}

function mayGenerate(element: Element): boolean {
  const {elements} = verdictOf(element);
  return elements === 'all' || elements.has(element) || element.assignedSlot !== null || element.hasAttribute('part');
}

/** The elements of a document without shadow trees to which CSS may add text. */
export function mayHaveGeneratedText(document: Document): Set<Element> | 'all' {
  const {elements, replaces} = verdictOf(document.documentElement);
  return replaces ? 'all' : elements;
}

function mayReplace(element: Element): boolean {
  return verdictOf(element).replaces;
}
