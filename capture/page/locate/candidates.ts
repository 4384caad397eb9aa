// Locators for one element, counted now in this document under the rules they will be run with.

import {attached, defaultTestAttributes} from '../describe';
import {parentOf} from '../dom';
import {nameOf} from '../names';
import {isPresentational, roleOf} from '../roles';
import {labelTexts} from '../selector/query';
import {textOfElement} from '../selector/text';
import {normalise} from '../text';
import {byAttribute, byCss, byRole, byTestId, byText, withText, within, type Step} from './code';
import {Counting} from './counting';
import {looksGenerated} from './generated_id';
import {cssById, cssByName, cssPath} from './path';

type Kind = 'testid' | 'role' | 'label' | 'placeholder' | 'text' | 'alt' | 'title' | 'css';

export interface Candidate {
  kind: Kind;
  playwright: string;
  selector: string;
  /** With `capped` a lower bound, never 1: there are more, or the time was up before all were asked. */
  count: number;
  capped?: boolean;
  /** Which of the matches it is, from 0; -1: with `capped`, none of those counted. */
  index: number;
  stability: 'high' | 'medium' | 'low';
  /** Found inside a named container. */
  scoped?: boolean;
}

const longestText = 80;

/** Texts that are too long to repeat are found by their beginning. */
function shortened(text: string): string {
  if (text.length <= longestText) return text;
  const head = text.slice(0, longestText);
  const space = head.lastIndexOf(' ');
  return (space > 20 ? head.slice(0, space) : head).replace(/[\ud800-\udbff]$/, '');
}

class Counter {
  private known: Step | undefined;
  constructor(readonly element: Element, readonly counting: Counting) {}

  isUnique(step: Step): boolean {
    return this.counting.isUnique(step.counted, this.element);
  }

  finds(step: Step): boolean {
    return this.counting.finds(step.counted, this.element);
  }

  /** The step as people write it; a path where there is no such form or it finds others. */
  private selector(step: Step): string {
    if (step.selector && (!step.loose || this.counting.isUnique(step.selector, this.element))) return step.selector;
    return this.path.selector;
  }

  get path(): Step {
    return (this.known ??= cssPath(this.element).map(byCss).reduce((outer, inner) => within(outer, inner)));
  }

  candidate(kind: Kind, step: Step, stability: Candidate['stability'], scoped = false): Candidate {
    const {elements, complete} = this.counting.matches(step.counted);
    const index = elements.indexOf(this.element);
    const unique = complete && elements.length === 1 && index === 0;
    // One that was found before the time was up may or may not be the only one: nothing is claimed of it.
    if (!complete && elements.length < 2)
      return {kind, playwright: step.playwright, selector: this.selector(step), count: 0, capped: true, index: -1, stability: 'low', ...(scoped && {scoped})};
    return {
      kind, playwright: step.playwright, selector: this.selector(step), count: elements.length, ...(!complete && {capped: true}), index,
      stability: unique ? stability : 'low', ...(scoped && {scoped}),
    };
  }
}

/** The plain form when it finds one element, the exact one when that narrows it down. */
function plainOrExact(counter: Counter, text: string, make: (text: string, exact: boolean) => Step): Step {
  const short = shortened(text);
  const plain = make(short, false);
  if (short !== text) return plain;
  const exact = make(text, true);
  // Of roles, the shorter selector finds a part of what the other one does.
  if (counter.isUnique(plain)) return plain.counted.startsWith('internal:role') ? {...plain, selector: exact.selector} : plain;
  return counter.finds(exact) ? exact : plain;
}

const containerRoles = new Set(['row', 'listitem', 'region', 'article', 'dialog', 'alertdialog', 'group', 'form', 'navigation',
  'table', 'list', 'tabpanel', 'radiogroup', 'figure', 'complementary', 'main', 'banner', 'contentinfo', 'search', 'treeitem',
  'option', 'menu', 'toolbar', 'grid', 'listbox']);

/** Containers around the element that one of their own texts or their name tells from their likes. */
function* containers(element: Element, counting: Counting): Generator<Step> {
  for (let e = parentOf(element); e; e = parentOf(e)) {
    const role = roleOf(e);
    if (!containerRoles.has(role)) continue;
    const one = new Counter(e, counting);
    const name = role === 'row' ? '' : normalise(nameOf(e, 'playwright'));
    if (name) {
      const step = plainOrExact(one, name, (text, exact) => byRole(role, text, exact));
      if (one.isUnique(step)) yield step;
    }
    for (const text of ownTexts(e, element)) {
      const step = role === 'row' ? byRole('row', text, false) : withText(byRole(role, '', false), text, false);
      if (one.isUnique(step)) yield step;
    }
    const whole = role === 'listitem' ? normalise(textOfElement(e).full) : '';
    if (whole && whole.length <= longestText) {
      const step = withText(byRole(role, '', false), whole, true);
      if (one.isUnique(step)) yield step;
    }
  }
  for (let e = parentOf(element), steps = 0; e && steps < 12; e = parentOf(e), steps++) {
    const one = new Counter(e, counting);
    const id = e.id && !looksGenerated(e.id) ? byCss(cssById(e)) : undefined;
    if (id && one.isUnique(id)) yield id;
  }
}

/** Texts inside a container but outside the element, that a reader would know it by. */
function ownTexts(container: Element, element: Element): string[] {
  const texts: string[] = [];
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && texts.length < 4; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || element.contains(parent) || /^(?:SCRIPT|STYLE|NOSCRIPT)$/.test(parent.nodeName)) continue;
    const text = normalise((node as Text).data);
    if (text.length >= 2 && text.length <= longestText && /[\p{L}\p{N}]/u.test(text) && !looksVolatile(text)) texts.push(text);
  }
  return texts;
}

/** Times and long numbers are other ones tomorrow. */
function looksVolatile(text: string): boolean {
  return /\d{1,2}:\d{2}|\d{6,}|\bago\b/.test(text) && !/[\p{L}]{4,}/u.test(text);
}

export function candidates(argument: {id: number; testAttributes?: string[]}): Candidate[] {
  const element = attached(argument.id);
  const counting = new Counting();
  const counter = new Counter(element, counting);
  const found: Candidate[] = [];
  const add = (kind: Kind, step: Step, stability: Candidate['stability'], scoped = false) => {
    const candidate = counter.candidate(kind, step, stability, scoped);
    if ((candidate.index >= 0 || (candidate.capped && counter.finds(step))) && !found.some(c => c.playwright === candidate.playwright)) found.push(candidate);
  };
  for (const attribute of argument.testAttributes ?? defaultTestAttributes) {
    const value = element.getAttribute(attribute);
    if (value && !looksGenerated(value)) add('testid', byTestId(attribute, value), 'high');
  }
  const role = roleOf(element);
  const name = normalise(nameOf(element, 'playwright'));
  const named = role && !isPresentational(role) && role !== 'generic';
  const roleStep = named ? plainOrExact(counter, name, (text, exact) => byRole(role, text, exact && text !== '')) : undefined;
  if (roleStep && name) add('role', roleStep, 'high');
  const label = labelTexts(element).map(t => t.normalised).find(Boolean);
  if (label) add('label', plainOrExact(counter, label, (text, exact) => byText('getByLabel', text, exact)), 'high');
  const byAttributes: [Kind, string, string][] = [['placeholder', 'placeholder', 'getByPlaceholder'], ['alt', 'alt', 'getByAltText'],
    ['title', 'title', 'getByTitle']];
  for (const [kind, attribute, method] of byAttributes) {
    const value = normalise(element.getAttribute(attribute) ?? '');
    if (value) add(kind, plainOrExact(counter, value, (text, exact) => byAttribute(method, attribute, text, exact)), 'medium');
  }
  const text = normalise(textOfElement(element).full);
  if (text && text.length <= 300) add('text', plainOrExact(counter, text, (t, exact) => byText('getByText', t, exact)), 'medium');
  if (!found.some(isUnique)) {
    const inner = found[0] ? innerSteps(roleStep, name, label, text) : roleStep ? [roleStep] : [];
    addScoped(element, counter, inner, (step, isText) => add(isText ? 'text' : 'role', step, 'medium', true));
  }
  if (roleStep && !name) add('role', roleStep, 'medium');
  if (element.id && !looksGenerated(element.id)) add('css', byCss(cssById(element)), 'medium');
  const byName = cssByName(element);
  if (byName) add('css', byCss(byName), 'medium');
  add('css', counter.path, 'low');
  return [...found.filter(isUnique), ...found.filter(c => !isUnique(c))];
}

function isUnique(candidate: Candidate): boolean {
  return candidate.count === 1;
}

function innerSteps(roleStep: Step | undefined, name: string, label: string | undefined, text: string): Step[] {
  if (roleStep && name) return [roleStep];
  if (label) return [byText('getByLabel', shortened(label), false)];
  return text ? [byText('getByText', shortened(text), text.length <= longestText)] : roleStep ? [roleStep] : [];
}

function addScoped(element: Element, counter: Counter, inner: Step[], add: (step: Step, isText: boolean) => void): void {
  let tries = 0;
  for (const container of containers(element, counter.counting)) {
    for (const step of inner) {
      const scoped = within(container, step);
      if (counter.isUnique(scoped)) return add(scoped, step.counted.startsWith('internal:text'));
    }
    if (++tries >= 12) return;
  }
}
