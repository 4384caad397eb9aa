// What a press at a point would reach.

import {contains, renderedParent} from './dom';
import {isFocusable, roleOf} from './roles';
import {scrollers} from './scrolling';
import {imageOfArea} from './visible';

export interface Point {
  x: number;
  y: number;
}

/** The innermost element at a point of the viewport, inside open shadow trees. */
export function elementAt({x, y}: Point): Element | null {
  let found = document.elementFromPoint(x, y);
  while (found?.shadowRoot) {
    const inner = found.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === found) break;
    found = inner;
  }
  return found;
}

const interactive = new Set(['button', 'link', 'textbox', 'searchbox', 'checkbox', 'radio', 'switch', 'combobox', 'listbox',
  'slider', 'spinbutton', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab', 'option']);

/** A control of its own between a hit element and the target that contains it. */
function ownControl(hit: Element, target: Element): Element | null {
  for (let e: Element | null = hit; e && e !== target; e = renderedParent(e))
    if (interactive.has(roleOf(e)) && isFocusable(e)) return e;
  return null;
}

export type Hit = {reaches: true; inner: Element | null} | {reaches: false; by: Element | null};

/**
 * Whether a press at the point does to `target` what is wanted: the element hit is the target, lies in it, or is a
 * label whose activation passes on to it. `inner`: another control inside the target takes the press for itself.
 */
export function hitAt(target: Element, point: Point): Hit {
  const hit = elementAt(point);
  if (!hit) return {reaches: false, by: null};
  if (contains(target, hit)) return {reaches: true, inner: ownControl(hit, target)};
  const image = target.nodeName === 'AREA' ? imageOfArea(target) : null;
  if (image && hit === image) return {reaches: true, inner: null};
  if (target instanceof HTMLOptionElement && target.closest('select') === hit) return {reaches: true, inner: null};
  const label = labelAround(hit);
  if (label && labelActivates(label, target)) {
    const inner = ownControl(hit, label);
    return inner && inner !== target ? {reaches: false, by: inner} : {reaches: true, inner: null};
  }
  return {reaches: false, by: hit};
}

export function labelAround(element: Element): HTMLLabelElement | null {
  for (let e: Element | null = element; e; e = renderedParent(e)) if (e instanceof HTMLLabelElement) return e;
  return null;
}

function labelActivates(label: HTMLLabelElement, target: Element): boolean {
  return label.control === target;
}

/** The parts of an element's boxes that lie in the viewport and in every scroll container around it. */
export function visibleRects(element: Element): DOMRect[] {
  const area = element.nodeName === 'AREA' ? areaRect(element as HTMLAreaElement) : null;
  const rects = area ? [area] : [...element.getClientRects()];
  if (rects.length > 1) rects.unshift(element.getBoundingClientRect());
  const windows = [new DOMRect(0, 0, window.innerWidth, window.innerHeight)];
  for (const scroller of scrollers(element))
    if (scroller !== document.scrollingElement) windows.push(scroller.getBoundingClientRect());
  return rects.map(rect => windows.reduce(intersection, rect)).filter(rect => rect.width >= 1 && rect.height >= 1);
}

function intersection(a: DOMRect, b: DOMRect): DOMRect {
  const left = Math.max(a.left, b.left), top = Math.max(a.top, b.top);
  return new DOMRect(left, top, Math.min(a.right, b.right) - left, Math.min(a.bottom, b.bottom) - top);
}

function areaRect(area: HTMLAreaElement): DOMRect | null {
  const image = imageOfArea(area);
  if (!image) return null;
  const box = image.getBoundingClientRect();
  const numbers = area.coords.split(/[,\s]+/).map(Number).filter(n => !Number.isNaN(n));
  switch (area.shape) {
    case 'default': return box;
    case 'circle': case 'circ': {
      const [x = 0, y = 0, r = 0] = numbers;
      return new DOMRect(box.x + x - r, box.y + y - r, 2 * r, 2 * r);
    }
    case 'poly': case 'polygon': {
      const xs = numbers.filter((_, i) => i % 2 === 0), ys = numbers.filter((_, i) => i % 2 === 1);
      const x = Math.min(...xs), y = Math.min(...ys);
      return new DOMRect(box.x + x, box.y + y, Math.max(...xs) - x, Math.max(...ys) - y);
    }
    default: {
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers;
      return new DOMRect(box.x + Math.min(x1, x2), box.y + Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1));
    }
  }
}

// From the middle outwards: people press the middle, and what lies over a control mostly covers an edge.
const fractions = [0.5, 0.25, 0.75, 0.1, 0.9, 0.03, 0.97];

/** Points of an element in view, the best first. */
export function* pointsOf(element: Element): Generator<Point> {
  const rects = visibleRects(element);
  for (const rect of rects) yield {x: rect.x + rect.width / 2, y: rect.y + rect.height / 2};
  for (const rect of rects)
    for (const fy of fractions)
      for (const fx of fractions) yield {x: rect.x + rect.width * fx, y: rect.y + rect.height * fy};
}
