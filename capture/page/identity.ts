// What an element was when its id was given out, so that a lost one can say whether it was removed or drawn anew.

import {cache} from './caches';
import {allElements, parentOf} from './dom';
import {elementOf, idOf} from './ids';
import {nameOf} from './names';
import {roleOf} from './roles';

interface Memory {
  tag: string;
  role: string;
  name: string;
  key: string;
  parent: WeakRef<Element> | null;
  index: number;
  /** The call in which it was last known to stand. */
  seen: number;
}

const memories = new Map<number, Memory>();
const parents = new WeakMap<Element, WeakRef<Element>>();

const firstSeen = new WeakMap<Element, number>();
let callNumber = 0;

/** A new call of the bundle: what is seen from now on is seen later. */
export function nextCall(): void {
  callNumber++;
}

/** Notes that an element stood there, though it got no id. */
export function sawElement(element: Element): void {
  if (!firstSeen.has(element)) firstSeen.set(element, callNumber);
}

/** Notes what `element` is now. Every time it is shown to the caller anew, so that a change of name is told once. */
export function remember(element: Element, id: number, role: string, name: string): void {
  const parent = parentOf(element);
  let index = 0;
  for (let e = element.previousElementSibling; e && index < 200; e = e.previousElementSibling) index++;
  memories.set(id, {tag: element.localName, role, name, key: keyOf(element), parent: parent && refOf(parent), index,
                    seen: callNumber});
  sawElement(element);
  for (let e: Element | null = element; e; e = parentOf(e)) {
    const above: Element | null = parentOf(e);
    if (!above || parents.get(e)?.deref() === above) break;
    parents.set(e, refOf(above));
  }
}

const tagsSeen = cache<string, boolean>();

/** remember(), computed here, unless the id is known already. */
export function rememberOnce(element: Element): number {
  const id = idOf(element);
  const memory = memories.get(id);
  if (memory) {
    memory.seen = callNumber;
    return id;
  }
  remember(element, id, roleOf(element), nameOf(element));
  if (!tagsSeen.has(element.localName)) {
    // Its likes stand beside it now, so that none of them is taken for its successor later.
    tagsSeen.set(element.localName, true);
    for (const like of document.getElementsByTagName(element.localName)) sawElement(like);
  }
  return id;
}

const refs = new WeakMap<Element, WeakRef<Element>>();

function refOf(element: Element): WeakRef<Element> {
  let ref = refs.get(element);
  if (!ref) refs.set(element, (ref = new WeakRef(element)));
  return ref;
}

/** What its author calls it. */
function keyOf(element: Element): string {
  return ['data-testid', 'name', 'type', 'href'].map(a => element.getAttribute(a) ?? '').join('\n');
}

export function alive(argument: {id: number}): Record<string, unknown> {
  const element = elementOf(argument.id);
  const memory = memories.get(argument.id);
  if (element?.isConnected) {
    const nameNow = nameOf(element);
    if (memory) memory.seen = callNumber;
    return {alive: true, nameThen: memory?.name ?? nameNow, nameNow};
  }
  const lastName = element ? nameOf(element) : undefined;
  const answer = {alive: false, nameThen: memory?.name ?? '', nameNow: lastName ?? ''};
  const twin = memory && twinOf(memory, lastName);
  return twin ? {...answer, why: 're-rendered', twin: rememberOnce(twin)} : {...answer, why: 'removed'};
}

/** The element that came after the lost one, stands where it stood and is the same to its reader. */
function twinOf(memory: Memory, lastName: string | undefined): Element | undefined {
  let place: Element | null | undefined = memory.parent?.deref();
  while (place && !place.isConnected) place = parents.get(place)?.deref() ?? parentOf(place);
  const within = place ?? document.documentElement;
  if (!within) return undefined;
  const names = new Set([memory.name, ...(lastName === undefined ? [] : [lastName])]);
  const alike = allElements(within).filter(e => e.localName === memory.tag && roleOf(e) === memory.role &&
                                                keyOf(e) === memory.key && names.has(nameOf(e)) &&
                                                (firstSeen.get(e) ?? Infinity) > memory.seen);
  if (alike.length <= 1) return alike[0];
  const inPlace = alike.filter(e => [...(parentOf(e)?.children ?? [])].indexOf(e) === memory.index);
  if (inPlace.length === 1) return inPlace[0];
  // The name it was last seen with is the better witness when the list has been turned.
  const last = alike.filter(e => nameOf(e) === (lastName ?? memory.name));
  return last.length === 1 ? last[0] : undefined;
}
