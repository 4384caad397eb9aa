// Before an action: wait until the target is there, visible, still, enabled and really hit; say why when it is not.

import {renderedParent} from './dom';
import {attached, boxOf, inWords, isFrameElement} from './describe';
import {rememberOnce} from './identity';
import {elementOf} from './ids';
import {deadlineIn, nextFrame, transformOf} from './frames';
import {add, bring, scrollBy, scrollers, ScrollMeter, untilStill, type Offset} from './scrolling';
import {elementAt, hitAt, pointsOf, visibleRects, type Point} from './points';
import {isPinned} from './sensitive';
import {isDisabled, isFillable, isReadOnly} from './states';
import {hasVisibleBox, imageOfArea, isUsable, standInLabel} from './visible';

type Purpose = 'click' | 'hover' | 'fill' | 'select' | 'press';

export interface PrepareArgument {
  id: number;
  for: Purpose;
  waitMs: number;
  scroll?: boolean;
  quick?: boolean;
}

type Refusal = 'detached' | 'hidden' | 'moving' | 'disabled' | 'readonly' | 'not-editable' | 'covered' | 'off-screen';

export interface Refused {
  refused: Refusal;
  by?: string;
  detail?: string;
}

export interface Prepared {
  point: Point;
  box: ReturnType<typeof boxOf>;
  scrolled: Offset;
  via?: 'label';
  hit?: string;
}

export async function prepare(argument: PrepareArgument): Promise<Prepared | Refused> {
  const late = deadlineIn(argument.waitMs);
  let scrolled: Offset = {x: 0, y: 0};
  let lastBox = '';
  if (argument.quick) {
    const ready = atRest(argument);
    if (ready) return ready;
  }
  for (;;) {
    const element = elementOf(argument.id);
    const state = element?.isConnected ? stateRefusal(element, argument.for) : {refused: 'detached' as const};
    if (!element || (state && isFinal(state))) return state ?? {refused: 'detached'};
    let refusal: Refused | null = state;
    if (!refusal) {
      const place = placeOf(element);
      const box = boxKey(place);
      if (box !== lastBox) {
        refusal = {refused: 'moving', detail: lastBox ? 'it still moves' : 'it was measured once'};
        lastBox = box;
        // In the same turn, so that the next frame already sees it where it will be pressed.
        if (argument.scroll !== false) scrolled = add(scrolled, bringIntoReach(element, place));
        lastBox = boxKey(place);
      } else {
        const point = pointFor(element, place);
        if ('point' in point) return prepared(element, place, point, scrolled);
        refusal = point;
        if (argument.scroll !== false) {
          const by = bringIntoReach(element, place);
          scrolled = add(scrolled, by);
          lastBox = boxKey(place);
        }
      }
    } else {
      lastBox = '';
    }
    if (late()) return refusal;
    await nextFrame();
  }
}

function prepared(element: Element, place: Element, at: {point: Point; hit?: string}, scrolled: Offset): Prepared {
  return {
    point: at.point, box: boxOf(place), scrolled,
    ...(place !== element && element.nodeName === 'INPUT' && {via: 'label' as const}), ...(at.hit && {hit: at.hit}),
  };
}

/** The answer without waiting for a frame, for an element in view that nothing moves. */
function atRest(argument: PrepareArgument): Prepared | null {
  const element = elementOf(argument.id);
  if (!element?.isConnected || stateRefusal(element, argument.for)) return null;
  for (let e: Element | null = element; e; e = renderedParent(e))
    if (e.getAnimations().some(animation => animation.playState === 'running')) return null;
  const place = placeOf(element);
  const point = pointFor(element, place);
  return 'point' in point ? prepared(element, place, point, {x: 0, y: 0}) : null;
}

/** Waiting seldom changes these. */
function isFinal(refusal: Refused): boolean {
  return refusal.refused === 'detached' || refusal.refused === 'not-editable' || refusal.refused === 'readonly';
}

function stateRefusal(element: Element, purpose: Purpose): Refused | null {
  if (purpose === 'fill' && !isFillable(element))
    return {refused: 'not-editable', detail: `${inWords(element)} takes no text`};
  if (purpose !== 'hover' && isDisabled(element)) return {refused: 'disabled', detail: inWords(element)};
  if (purpose === 'fill' && isReadOnly(element)) return {refused: 'readonly', detail: inWords(element)};
  if (!isUsable(element)) return {refused: 'hidden', detail: whyHidden(element)};
  return null;
}

function whyHidden(element: Element): string {
  for (let e: Element | null = element; e; e = renderedParent(e)) {
    const style = getComputedStyle(e);
    if (style.display === 'none') return `${e === element ? 'it' : inWords(e)} has display: none`;
    if (style.visibility !== 'visible' && e === element) return 'it has visibility: ' + style.visibility;
  }
  const box = element.getBoundingClientRect();
  return `its box is ${Math.round(box.width)}×${Math.round(box.height)} pixels`;
}

/** The element that is pressed for `element`: itself, the label that stands for it, the image that shows it. */
function placeOf(element: Element): Element {
  if (element instanceof HTMLOptionElement) return element.closest('select') ?? element;
  if (element.nodeName === 'AREA') return imageOfArea(element) ?? element;
  const label = standInLabel(element);
  if (!label) return element;
  if (!hasVisibleBox(element)) return label;
  // A transparent or clipped input that nothing covers is pressed itself.
  for (const point of pointsOf(element)) if (hitAt(element, point).reaches && visibleRects(element)[0]!.width >= 4) return element;
  return label;
}

function boxKey(element: Element): string {
  const {x, y, width, height} = element.getBoundingClientRect();
  return `${x} ${y} ${width} ${height}`;
}

/** A point where a press reaches the element. One where another control inside it would take the press comes last. */
function pointFor(element: Element, place: Element): {point: Point; hit?: string} | Refused {
  let second: {point: Point; hit: string} | undefined;
  let cover: Element | null = null;
  let any = false;
  const target = element.nodeName === 'AREA' ? element : place;
  for (const point of pointsOf(target)) {
    any = true;
    const hit = place === element || element.nodeName === 'AREA' ? hitAt(element, point) : hitThrough(element, place, point);
    if (!hit.reaches) {
      cover ??= hit.by;
    } else if (!hit.inner) {
      return {point};
    } else {
      second ??= {point, hit: inWords(hit.inner)};
    }
  }
  if (second) return second;
  if (!any) return {refused: 'off-screen', detail: 'no part of it can be scrolled into view'};
  return {refused: 'covered', ...(cover && {by: inWords(cover)}), detail: cover ? 'something lies over it' : 'nothing there takes the pointer'};
}

/** A hit on the stand-in `place` counts when it activates `element`. */
function hitThrough(element: Element, place: Element, point: Point): ReturnType<typeof hitAt> {
  const hit = hitAt(element, point);
  if (hit.reaches) return hit;
  if (element instanceof HTMLOptionElement) return hitAt(place, point);
  return hit;
}

/** Scrolls as little as needed until a point can be pressed; answers what was scrolled. */
function bringIntoReach(element: Element, place: Element): Offset {
  const reached = () => 'point' in pointFor(element, place);
  if (reached()) return {x: 0, y: 0};
  // A cover that moves along with the target cannot be scrolled away.
  if (visibleRects(place).length && !stickyCover(element, place)) return {x: 0, y: 0};
  const around = scrollers(place);
  const meter = new ScrollMeter(around);
  bring(place, 'nearest');
  if (reached() || stepOutOfCovers(element, place, around, reached)) return meter.scrolled();
  for (const block of ['center', 'start', 'end'] as const) {
    bring(place, block);
    if (reached() || stepOutOfCovers(element, place, around, reached)) return meter.scrolled();
  }
  // Something that moves along lies over it: leave it where that can be seen and named.
  bring(place, 'center');
  return meter.scrolled();
}

/** Moves the target out from under what sticks over it. */
function stepOutOfCovers(element: Element, place: Element, around: Element[], reached: () => boolean): boolean {
  for (let step = 0; step < 3; step++) {
    const cover = stickyCover(element, place);
    if (!cover) return false;
    const over = cover.getBoundingClientRect(), box = place.getBoundingClientRect();
    // The shorter way out, upwards or downwards.
    const down = over.bottom - box.top, up = box.bottom - over.top;
    const before = boxKey(place);
    const scroller = scrollerOf(cover, around);
    if (!scroller) return false;
    scrollBy(scroller, {x: 0, y: down <= up ? -Math.ceil(down) : Math.ceil(up)});
    if (reached()) return true;
    if (boxKey(place) === before) return false;
  }
  return false;
}

/** The sticky or fixed element that covers the target's middle. */
function stickyCover(element: Element, place: Element): Element | null {
  for (const point of pointsOf(place)) {
    const hit = hitAt(element, point);
    if (hit.reaches) return null;
    for (let e = hit.by; e; e = renderedParent(e)) {
      const position = getComputedStyle(e).position;
      if (position === 'fixed' || position === 'sticky') return e;
    }
    return null;
  }
  return null;
}

/** What moves the target but not the cover. */
function scrollerOf(cover: Element, around: Element[]): Element | undefined {
  if (getComputedStyle(cover).position === 'sticky') {
    const own = around.find(e => e.contains(cover) && e !== cover);
    if (own) return own;
  }
  return around.at(-1);
}

export function hits(argument: {id: number; x: number; y: number}): Record<string, unknown> {
  const element = elementOf(argument.id);
  if (!element?.isConnected) return {hit: false, attached: false};
  const place = placeOf(element);
  const hit = hitThrough(element, place, argument);
  return {hit: hit.reaches, attached: true, box: boxOf(place), ...(!hit.reaches && hit.by && {by: inWords(hit.by)})};
}

/** The topmost element at a point of this viewport. */
export function at(argument: Point): {id?: number; frame?: boolean} {
  const element = elementAt(argument);
  return element ? {id: rememberOnce(element), frame: isFrameElement(element)} : {};
}

export async function scrollIntoView(argument: {id: number; waitMs?: number}): Promise<Record<string, unknown>> {
  const element = attached(argument.id);
  const place = placeOf(element);
  const around = scrollers(place);
  await untilStill(around, argument.waitMs ?? 1500);
  const scrolled = bringIntoReach(element, place);
  await nextFrame();
  return {scrolled, box: boxOf(place)};
}

interface ScrollArgument {
  id?: number;
  to?: 'top' | 'bottom' | 'left' | 'right';
  by?: Offset;
  waitMs?: number;
}

/** Scrolls the element, or the nearest container around it that can move that way; without an element the document. */
export async function scroll(argument: ScrollArgument): Promise<Record<string, unknown>> {
  const root = document.scrollingElement ?? document.documentElement;
  const horizontal = argument.by ? Math.abs(argument.by.x) > Math.abs(argument.by.y) : argument.to === 'left' || argument.to === 'right';
  const container = argument.id === undefined ? root : containerOf(attached(argument.id), horizontal) ?? root;
  const meter = new ScrollMeter([container]);
  if (argument.by) scrollBy(container, argument.by);
  switch (argument.to) {
    case 'top': container.scrollTo({top: 0, behavior: 'instant'}); break;
    case 'bottom': container.scrollTo({top: container.scrollHeight, behavior: 'instant'}); break;
    case 'left': container.scrollTo({left: 0, behavior: 'instant'}); break;
    case 'right': container.scrollTo({left: container.scrollWidth, behavior: 'instant'}); break;
    case undefined: break;
  }
  await untilStill([container], argument.waitMs ?? 1500);
  return {scrolled: meter.scrolled(), position: {x: container.scrollLeft, y: container.scrollTop}};
}

function containerOf(element: Element, horizontal: boolean): Element | undefined {
  const moves = (e: Element) => (horizontal ? e.scrollWidth > e.clientWidth : e.scrollHeight > e.clientHeight);
  const style = getComputedStyle(element);
  const own = horizontal ? style.overflowX : style.overflowY;
  if (moves(element) && own !== 'visible' && own !== 'clip') return element;
  return scrollers(element).find(moves);
}

export function transform(argument: {id: number}): Record<string, unknown> {
  const element = attached(argument.id);
  return {...transformOf(element), ...(isPinned(element) && {pinned: true}), ...(!hasVisibleBox(element) && {hidden: true})};
}
