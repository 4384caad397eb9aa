// Controls that have no text to insert (dates, ranges, lists): one trusted key from outside makes the control change by
// itself, so that the page gets the browser's own `input` and `change`. The control is put beside the wanted value
// without a word, then the key takes the last step. The page sees neither the key nor a value in between.

import {listenFirst} from './first_listener';
import {isDisabled} from './states';

/** What to press next, as docs/tools.md names keys. */
export type Keys = string[];

interface Operation {
  element: HTMLInputElement | HTMLSelectElement;
  is(): boolean;
  /** Makes the value right while its `input` passes, where the browser's `change` does not mind. */
  put?(): void;
  tries: Iterator<Keys>;
  told: boolean;
}

let current: Operation | null = null;

function on(event: Event): void {
  const operation = current;
  if (!operation || !event.isTrusted || event.composedPath()[0] !== operation.element) return;
  if (event.type === 'input') {
    operation.put?.();
    if (operation.is()) operation.told = true;
  }
  if (event.type.startsWith('key') || !operation.is()) event.stopImmediatePropagation();
}

/** The keys that begin it; null when no key reaches that value. The element has the focus. */
export function beginKeys(element: HTMLInputElement | HTMLSelectElement, how: {is(): boolean; put?(): void; tries: Iterator<Keys>}): Keys | null {
  listenFirst().handler = on;
  current = {element, told: false, ...how};
  return nextKeys();
}

/** More keys when the page has not been told yet; null when it has, or when nothing else can be tried. */
export function nextKeys(): Keys | null {
  if (!current || current.told) return null;
  const next = current.tries.next();
  return next.done ? null : next.value;
}

/** Whether the page was told by trusted events. The page's keys are its own again. */
export function endKeys(): boolean {
  const told = current?.told ?? false;
  current = null;
  return told;
}

// ---- Ranges

export function rangeKeys(input: HTMLInputElement, wanted: string): {is(): boolean; put(): void; tries: Iterator<Keys>} {
  input.value = wanted;
  const target = input.value;  // what its step makes of it
  return {
    is: () => input.value === target,
    put: () => { input.value = target; },
    tries: [['ArrowUp'], ['ArrowDown']].values(),
  };
}

// ---- Lists

export function selectKeys(select: HTMLSelectElement, chosen: HTMLOptionElement[]): {is(): boolean; put(): void; tries: Iterator<Keys>} {
  const put = () => putOptions(select, chosen);
  return {is: () => [...select.options].every(o => o.selected === chosen.includes(o)), put, tries: selectTries(select, chosen, put)};
}

export function putOptions(select: HTMLSelectElement, chosen: HTMLOptionElement[]): void {
  if (!select.multiple && chosen.length) chosen[0]!.selected = true;
  else for (const option of select.options) option.selected = chosen.includes(option);
}

function* selectTries(select: HTMLSelectElement, chosen: HTMLOptionElement[], put: () => void): Generator<Keys> {
  // A list drawn by the page's own styles opens on arrow keys.
  if (getComputedStyle(select).appearance === 'base-select') return;
  if (select.multiple) {
    for (const key of ['Home', 'End', 'ArrowDown', 'ArrowUp']) {
      put();
      yield [key];
    }
    return;
  }
  const reachable = [...select.options].filter(o => !isDisabled(o) && getComputedStyle(o).display !== 'none');
  const at = reachable.indexOf(chosen[0]!);
  const before = reachable[at - 1], after = reachable[at + 1];
  if (before) {
    before.selected = true;
    yield ['ArrowDown'];
  }
  if (after) {
    after.selected = true;
    yield ['ArrowUp'];
  }
  select.selectedIndex = -1;
  yield ['ArrowDown'];
}

// ---- Dates and times

type Part = 'year' | 'month' | 'day' | 'week' | 'hour' | 'minute' | 'second' | 'millisecond';

/** The parts of a value in the order of its notation. */
const notation: Record<string, Part[]> = {
  date: ['year', 'month', 'day'], month: ['year', 'month'], week: ['year', 'week'], time: ['hour', 'minute', 'second', 'millisecond'],
  'datetime-local': ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond'],
};
const samples: Record<string, string> = {
  date: '2000-01-01', month: '2000-01', week: '2000-W01', time: '12:00', 'datetime-local': '2000-01-01T12:00',
};

/** `focused`: it had the focus already, and with it some part of it. */
export function dateKeys(input: HTMLInputElement, wanted: string, focused: boolean): {is(): boolean; put?(): void; tries: Iterator<Keys>} {
  if (wanted === '') {
    if (input.value === '') input.value = samples[input.type]!;
    // Setting the empty value empties the parts that the key did not reach.
    return {is: () => input.value === '' && !input.validity.badInput, put: () => { input.value = ''; }, tries: [['Backspace']].values()};
  }
  input.value = wanted;
  const target = input.value;
  return {is: () => input.value === target, tries: dateTries(input, target, focused)};
}

/**
 * Puts one part beside its wanted value and steps it with an arrow key. The order of the parts on the screen is the
 * browser's language's: it is guessed from Intl, and a step that moved another part than expected corrects the guess.
 */
function* dateTries(input: HTMLInputElement, target: string, focused: boolean): Generator<Keys> {
  const order = partsOnScreen(input.type);
  let keys: Keys = focused ? order.map(() => 'ArrowLeft') : [];
  let place = 0;
  const known = new Set<number>();
  for (let wanted = 0; wanted < order.length;) {
    let learned = false;
    for (const [delta, key] of [[-1, 'ArrowUp'], [1, 'ArrowDown']] as const) {
      const beside = besides(input, target, order[wanted]!, delta);
      if (beside === undefined) continue;
      input.value = beside;
      for (; place < wanted; place++) keys.push('ArrowRight');
      yield [...keys, key];
      keys = [];
      const moved = partMoved(input.type, beside, input.value);
      if (!moved || moved === order[wanted] || known.has(wanted)) continue;
      known.add(wanted);
      const other = order.indexOf(moved);
      if (other >= 0) order[other] = order[wanted]!;
      order[wanted] = moved;
      learned = true;
      break;
    }
    if (!learned) wanted++;
  }
  input.value = target;
}

function partsOnScreen(type: string): Part[] {
  if (type === 'time') return ['hour', 'minute', 'second', 'millisecond'];
  if (type === 'week') return ['week', 'year'];
  const format = new Intl.DateTimeFormat(undefined, type === 'month' ? {year: 'numeric', month: 'long'} : {year: 'numeric', month: '2-digit', day: '2-digit'});
  const parts = format.formatToParts(0).map(part => part.type as Part).filter(part => notation['date']!.includes(part));
  return type === 'datetime-local' ? [...parts, ...notation['time']!] : parts;
}

/** `value` with one part moved by `delta`, or undefined when the browser takes no such value. */
function besides(input: HTMLInputElement, value: string, part: Part, delta: number): string | undefined {
  const index = notation[input.type]!.indexOf(part);
  let n = 0;
  const text = value.replace(/\d+/g, digits => n++ === index ? String(Number(digits) + delta).padStart(digits.length, '0') : digits);
  const probe = document.createElement('input');
  probe.type = input.type;
  probe.value = text;
  return probe.value !== '' && probe.value !== value ? probe.value : undefined;
}

function partMoved(type: string, before: string, after: string): Part | undefined {
  const was = before.match(/\d+/g) ?? [], is = after.match(/\d+/g) ?? [];
  if (was.length !== is.length) return undefined;
  const index = was.findIndex((digits, i) => digits !== is[i]);
  return index < 0 ? undefined : notation[type]![index];
}
