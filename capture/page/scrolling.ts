// Scrolling: as little as needed, at once, and to its real end.

import {renderedParent, nameOfTag} from './dom';
import {deadlineIn, nextFrame} from './frames';

export interface Offset {
  x: number;
  y: number;
}

type Axis = 'x' | 'y';

function scrollsOn(element: Element, axis: Axis): boolean {
  if (element === document.scrollingElement) return true;
  const style = getComputedStyle(element);
  const overflow = axis === 'x' ? style.overflowX : style.overflowY;
  if (overflow === 'visible' || overflow === 'clip') return false;
  return axis === 'x' ? element.scrollWidth > element.clientWidth : element.scrollHeight > element.clientHeight;
}

/** The scroll containers around an element, from the inside; the document's own last. */
export function scrollers(element: Element): Element[] {
  const found: Element[] = [];
  let fixed = getComputedStyle(element).position === 'fixed';
  for (let e = renderedParent(element); e; e = renderedParent(e)) {
    if (fixed) break;
    if (e !== document.scrollingElement && e !== document.documentElement && (scrollsOn(e, 'x') || scrollsOn(e, 'y'))) found.push(e);
    if (getComputedStyle(e).position === 'fixed') fixed = true;
  }
  if (!fixed && document.scrollingElement) found.push(document.scrollingElement);
  return found;
}

/** Remembers scroll positions and tells what has been scrolled since. */
export class ScrollMeter {
  private readonly before: [Element, number, number][];
  constructor(elements: Element[]) {
    this.before = elements.map(e => [e, e.scrollLeft, e.scrollTop]);
  }
  scrolled(): Offset {
    const sum = {x: 0, y: 0};
    for (const [element, x, y] of this.before) {
      sum.x += element.scrollLeft - x;
      sum.y += element.scrollTop - y;
    }
    return sum;
  }
}

export function add(a: Offset, b: Offset): Offset {
  return {x: a.x + b.x, y: a.y + b.y};
}

/** Brings an element into view now, whatever `scroll-behavior` the page wants. */
export function bring(element: Element, block: ScrollLogicalPosition): void {
  element.scrollIntoView({block, inline: block === 'nearest' ? 'nearest' : 'center', behavior: 'instant'});
}

/** Scrolls a container by an amount now. */
export function scrollBy(container: Element, by: Offset): void {
  container.scrollBy({left: by.x, top: by.y, behavior: 'instant'});
}

/** Waits until the elements stand still for two frames: a smooth scroll of the page's own has ended. */
export async function untilStill(elements: Element[], waitMs: number): Promise<boolean> {
  const late = deadlineIn(waitMs);
  const state = () => elements.map(e => `${e.scrollLeft},${e.scrollTop}`).join(' ');
  let last = state();
  for (let still = 0; still < 2;) {
    if (late()) return false;
    await nextFrame();
    const now = state();
    still = now === last ? still + 1 : 0;
    last = now;
  }
  return true;
}

export function describeScroller(element: Element): string {
  return element === document.scrollingElement ? 'the document' : nameOfTag(element);
}
