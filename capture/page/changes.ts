// What an action changed, and waiting for what is to appear: both by mutation, never by polling.

import {contains, treeScopes, focusedElement, parentOf} from './dom';
import {freshen} from './caches';
import {elementOf, knownElements} from './ids';
import {deadlineIn, macrotask, nextFrame} from './frames';
import {findAll, withTestAttributes} from './selector/query';
import {includesText, matchText, type TextTest} from './selector/text';
import {rememberOnce} from './identity';
import {nameOf} from './names';
import {roleOf} from './roles';
import {endKeys} from './keys';
import {Surroundings} from './owner';
import {isSensitive, shownValue} from './sensitive';
import {checkedOf, valueOf} from './states';
import {collapse, cut} from './text';
import {describeText, inWords} from './describe';
import {labelAround} from './points';
import {hasVisibleBox, isUsable} from './visible';
import {Walker, type Row} from './walk';

const observed: MutationObserverInit = {
  childList: true, subtree: true, characterData: true, attributes: true, attributeOldValue: true,
};

/** Attributes that change what is shown or what state it is in. */
const shownAttributes = /^(?:class|style|hidden|open|disabled|aria-.*|role|value|checked|selected|readonly|src|alt|title|href)$/;

/** Watches the document and every open shadow tree in it, those that come later included. */
class Watcher {
  private readonly observer: MutationObserver;
  private readonly scopes = new WeakSet<Node>();

  constructor(private readonly onRecords: (records: MutationRecord[]) => void) {
    this.observer = new MutationObserver(records => this.take(records));
    this.watch(document);
  }

  private watch(root: ParentNode): void {
    for (const scope of treeScopes(root)) {
      if ((scope instanceof Document || scope instanceof ShadowRoot) && !this.scopes.has(scope)) {
        this.scopes.add(scope);
        this.observer.observe(scope, observed);
      }
    }
  }

  private take(records: MutationRecord[]): void {
    for (const record of records)
      for (const node of record.addedNodes) if (node instanceof Element && (node.shadowRoot || node.firstElementChild)) this.watch(node);
    this.onRecords(records);
  }

  /** Records that have not been delivered yet. */
  drain(): void {
    const records = this.observer.takeRecords();
    if (records.length) this.take(records);
  }

  stop(): void {
    this.drain();
    this.observer.disconnect();
  }
}

class Change {
  readonly added = new Set<Element>();
  readonly touched = new Set<Element>();
  removed = 0;
  mutations = 0;
  readonly before: Map<number, boolean>;
  private readonly removedElements = new Set<Element>();
  private readonly watcher: Watcher;

  constructor() {
    this.before = new Map();
    let budget = 2000;
    for (const [id, element] of knownElements()) {
      if (--budget < 0) break;
      this.before.set(id, isUsable(element));
    }
    this.watcher = new Watcher(records => this.take(records));
  }

  drain(): void {
    this.watcher.drain();
  }

  private take(records: MutationRecord[]): void {
    for (const record of records) {
      this.mutations++;
      const target = record.target instanceof Element ? record.target : parentOf(record.target);
      if (record.type === 'childList') {
        for (const node of record.addedNodes) {
          if (node instanceof Element) {
            if (!this.removedElements.delete(node)) this.added.add(node);
          } else if (target) {
            this.touched.add(target);
          }
        }
        for (const node of record.removedNodes) {
          if (!(node instanceof Element)) continue;
          if (!this.added.delete(node)) this.removedElements.add(node);
        }
      } else if (record.type === 'characterData') {
        if (target) this.touched.add(target);
      } else if (target && shownAttributes.test(record.attributeName ?? '') &&
                 record.oldValue !== target.getAttribute(record.attributeName!)) {
        this.touched.add(target);
      }
    }
  }

  stop(): void {
    this.watcher.stop();
  }

  /** What has changed since the beginning. */
  tell(): {appeared: number; removed: number; rows: Row[]} {
    this.watcher.drain();
    freshen();
    let appeared = 0, removed = 0;
    for (const root of outermost(this.removedElements)) if (!root.isConnected) removed += countElements(root);
    const rows: Row[] = [];
    const shown = new Set<Element>();
    const addRows = (root: Element) => {
      if ([...shown].some(e => e.contains(root))) return 0;
      shown.add(root);
      const walker = new Walker({maxBytes: 6000, part: true});
      walker.walk(root);
      const more = walker.more()?.remaining ?? 0;
      if (rows.length < 200) rows.push(...walker.rows.slice(0, 200 - rows.length));
      return walker.rows.filter(row => row[3] !== 0).length + more;
    };
    for (const root of outermost(this.added)) if (root.isConnected) appeared += addRows(root);
    for (const [id, wasUsable] of this.before) {
      const element = elementOf(id);
      if (!element?.isConnected) continue;
      const usable = isUsable(element);
      if (wasUsable && !usable) removed++;
      if (!wasUsable && usable && ![...shown].some(e => e.contains(element))) appeared++;
    }
    for (const element of outermost(this.touched)) if (element.isConnected && hasVisibleBox(element) && isSmall(element)) addRows(rowRoot(element));
    return {appeared, removed, rows};
  }
}

/** A change of the body's class is not a change of everything in it. */
function isSmall(element: Element): boolean {
  return element !== document.body && element !== document.documentElement && element.getElementsByTagName('*').length <= 100;
}

/** The control or heading that a piece of changed text belongs to. */
function rowRoot(element: Element): Element {
  for (let e: Element | null = element, steps = 0; e && steps < 4; e = parentOf(e), steps++)
    if (/^(?:button|link|heading|cell|option|tab|status|alert|listitem|row|checkbox|radio|switch|menuitem)$/.test(roleOf(e))) return e;
  return element;
}

function outermost(elements: Set<Element>): Element[] {
  return [...elements].filter(element => {
    for (let e = parentOf(element); e; e = parentOf(e)) if (elements.has(e)) return false;
    return true;
  });
}

/** Elements that would have had rows of their own. */
function countElements(root: Element): number {
  let count = 0;
  const visit = (element: Element) => {
    const role = roleOf(element);
    if (role && !/^(?:generic|paragraph|none|presentation|emphasis|strong|code|rowgroup|document)$/.test(role)) count++;
  };
  visit(root);
  for (const element of root.querySelectorAll('*')) visit(element);
  return count;
}

/** Counts the trusted presses that come while an action runs, and whom they reach. */
class Presses {
  private readonly counts = {pointerdown: 0, click: 0};
  private by: Element | null = null;

  constructor(private readonly id: number) {
    for (const type of ['pointerdown', 'click'] as const) addEventListener(type, this.on, true);
  }

  private readonly on = (event: Event): void => {
    if (!event.isTrusted) return;
    const hit = event.composedPath()[0];
    const element = elementOf(this.id);
    if (!element || !(hit instanceof Element)) return;
    const label = labelAround(hit);
    if (contains(element, hit) || label?.control === element) this.counts[event.type as 'click']++;
    else this.by ??= hit;
  };

  tell(): Record<string, unknown> {
    return {...this.counts, ...(this.by && {by: inWords(this.by)})};
  }

  stop(): void {
    for (const type of ['pointerdown', 'click'] as const) removeEventListener(type, this.on, true);
  }
}

let current: Change | null = null;
let presses: Presses | null = null;
let surroundings: Surroundings | null = null;

export function actionBegin(argument: {id?: number}): Record<string, never> {
  endKeys();  // of an action that came to no end
  current?.stop();
  presses?.stop();
  current = new Change();
  presses = argument.id === undefined ? null : new Presses(argument.id);
  const element = argument.id === undefined ? undefined : elementOf(argument.id);
  surroundings = element?.isConnected ? new Surroundings(element) : null;
  return {};
}

interface EndArgument {
  id?: number;
  quietFrames?: number;
  waitMs?: number;
  keep?: boolean;
}

export async function actionEnd(argument: EndArgument): Promise<Record<string, unknown>> {
  const change = current, counted = presses, around = surroundings;
  const quietFrames = argument.quietFrames ?? 2;
  if (quietFrames === 0) await macrotask();
  else if (change) await untilQuiet(change, quietFrames, argument.waitMs ?? 500);
  const result = change ? change.tell() : {appeared: 0, removed: 0, rows: []};
  const element = argument.id === undefined ? undefined : {...outcome(argument.id), ...around?.tell(), hit: counted?.tell()};
  if (!argument.keep) {
    change?.stop();
    counted?.stop();
    if (current === change) current = null;
    if (presses === counted) presses = null;
    if (surroundings === around) surroundings = null;
  }
  return {...result, ...(element && {element})};
}

/** Until no mutation came for some frames. */
async function untilQuiet(change: Change, frames: number, waitMs: number): Promise<void> {
  const late = deadlineIn(waitMs);
  change.drain();
  let last = change.mutations;
  for (let quiet = 0; quiet < frames && !late();) {
    await nextFrame();
    change.drain();
    quiet = change.mutations === last ? quiet + 1 : 0;
    last = change.mutations;
  }
}

/** What became of the element that was acted on. */
function outcome(id: number): Record<string, unknown> {
  const element = elementOf(id);
  if (!element) return {stillAttached: false, focused: false};
  const value = valueOf(element);
  return {
    stillAttached: element.isConnected,
    focused: element.isConnected && focusedElement() === element,
    value: value === undefined ? undefined : shownValue(element, value),
    displayText: cut(collapse(describeText(element)), 500),
    checked: checkedOf(element),
    name: nameOf(element),
    sensitive: isSensitive(element),
  };
}

interface WaitArgument {
  selector?: string;
  text?: string;
  id?: number;
  state?: 'visible' | 'hidden';
  waitMs: number;
  root?: number;
  testAttributes?: string[];
}

/** Waits until what is asked for is visible (or is not any more). */
export function waitFor(argument: WaitArgument): Promise<Record<string, unknown>> {
  const wantHidden = argument.state === 'hidden';
  if (argument.selector !== undefined) argument.selector = withTestAttributes(argument.selector, argument.testAttributes);
  const check = (): Record<string, unknown> | null => {
    freshen();
    const element = lookFor(argument);
    if (wantHidden) return element ? null : {found: true};
    return element ? {found: true, id: rememberOnce(element)} : null;
  };
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let watcher: Watcher | undefined;
    let waiting = false;
    const end = (answer: Record<string, unknown>) => {
      clearTimeout(timer);
      watcher?.stop();
      watcher = undefined;
      for (const [target, type] of events) target.removeEventListener(type, later, true);
      resolve(answer);
    };
    const look = () => {
      waiting = false;
      if (!watcher) return;
      try {
        const answer = check();
        if (answer) end(answer);
      } catch (error) {
        end({found: false});
        reject(error);
      }
    };
    // Many mutations of one frame are looked at once; styles and boxes settle with the frame.
    const later = () => {
      if (waiting) return;
      waiting = true;
      void nextFrame().then(look);
    };
    // What becomes visible without a mutation: transitions, loaded images and styles, a resized window.
    const events: [EventTarget, string][] = [[document, 'transitionend'], [document, 'animationend'], [document, 'load'],
      [document, 'toggle'], [window, 'resize'], [document, 'readystatechange']];
    try {
      const now = check();
      if (now) return resolve(now);
    } catch (error) {
      return reject(error);
    }
    watcher = new Watcher(later);
    for (const [target, type] of events) target.addEventListener(type, later, true);
    timer = setTimeout(() => {
      const answer = check();
      end(answer ?? {found: false});
    }, Math.max(0, argument.waitMs));
  });
}

function lookFor(argument: WaitArgument): Element | undefined {
  if (argument.id !== undefined) {
    const element = elementOf(argument.id);
    return element?.isConnected && isUsable(element) ? element : undefined;
  }
  const root = argument.root !== undefined ? elementOf(argument.root) : document;
  if (!root) return undefined;
  if (argument.selector !== undefined) return findAll(argument.selector, root).find(isUsable);
  if (argument.text !== undefined) {
    const start = root instanceof Document ? root.documentElement : root;
    return start ? deepestWithText(start, includesText(argument.text)) : undefined;
  }
  return undefined;
}

/** The first innermost visible element whose text passes the test. */
function deepestWithText(element: Element, test: TextTest): Element | undefined {
  if (matchText(element, test) === 'none') return undefined;
  for (const child of [...element.children, ...(element.shadowRoot?.children ?? [])]) {
    const found = deepestWithText(child, test);
    if (found) return found;
  }
  return matchText(element, test) === 'self' && hasVisibleBox(element) ? element : undefined;
}

/** Resolves with the frame after the next mutation, or when the time is over. */
export function changed(argument: {waitMs: number}): Promise<{changed: boolean}> {
  return new Promise(resolve => {
    const end = (answer: boolean) => {
      clearTimeout(timer);
      watcher.stop();
      resolve({changed: answer});
    };
    let seen = false;
    const watcher = new Watcher(() => {
      if (seen) return;
      seen = true;
      void nextFrame().then(() => end(true));
    });
    const timer = setTimeout(() => end(false), Math.max(0, argument.waitMs));
  });
}
