// Who can be seen. Three questions: is it rendered (display), is it in the accessibility tree, has it a visible box.

import {cache} from './caches';
import {eachRenderedChild, renderedParent, tagOf} from './dom';
import {labelsOf} from './labels';

const ignoredTags = new Set(['STYLE', 'SCRIPT', 'NOSCRIPT', 'TEMPLATE', 'HEAD', 'META', 'LINK', 'TITLE', 'BASE']);

/** Elements that never render and never count as text. */
export function isIgnored(element: Element): boolean {
  return ignoredTags.has(element.nodeName);
}

const styles = cache<Element, CSSStyleDeclaration>();

export function styleOf(element: Element): CSSStyleDeclaration {
  let style = styles.get(element);
  if (!style) styles.set(element, (style = getComputedStyle(element)));
  return style;
}

const shownCache = cache<Element, boolean>();

/** Rendered and not `visibility: hidden`. An element of `display: contents` counts when it could show something. */
export function isShown(element: Element): boolean {
  let shown = shownCache.get(element);
  if (shown === undefined) shownCache.set(element, (shown = computeShown(element)));
  return shown;
}

function computeShown(element: Element): boolean {
  if (element.checkVisibility({visibilityProperty: true})) return true;
  if (element instanceof HTMLOptionElement || element instanceof HTMLOptGroupElement) {
    const select = element.closest('select');
    return !!select && !element.hidden && isShown(select);
  }
  if (!element.isConnected) return false;
  const style = styleOf(element);
  if (style.display !== 'contents' || style.visibility !== 'visible') return false;
  const parent = renderedParent(element);
  return !parent || isDisplayed(parent);
}

const displayedCache = cache<Element, boolean>();

/** Not under `display: none`; `visibility` does not matter. */
export function isDisplayed(element: Element): boolean {
  let shown = displayedCache.get(element);
  if (shown === undefined) {
    shown = element.checkVisibility();
    if (!shown && element.isConnected && styleOf(element).display === 'contents') {
      const parent = renderedParent(element);
      shown = !parent || isDisplayed(parent);
    }
    displayedCache.set(element, shown);
  }
  return shown;
}

/** Taken out of the accessibility tree by its own attributes. */
export function isAriaHiddenItself(element: Element): boolean {
  return element.getAttribute('aria-hidden') === 'true';
}

const hiddenCache = cache<Element, boolean>();

/** Not in the accessibility tree: not shown, or it or an ancestor is aria-hidden. */
export function isHiddenForAria(element: Element): boolean {
  let hidden = hiddenCache.get(element);
  if (hidden === undefined) {
    hidden = isIgnored(element) || isAriaHiddenChain(element) || !isShown(element);
    hiddenCache.set(element, hidden);
  }
  return hidden;
}

const ariaChainCache = cache<Element, boolean>();

function isAriaHiddenChain(element: Element): boolean {
  let hidden = ariaChainCache.get(element);
  if (hidden === undefined) {
    const parent = renderedParent(element);
    hidden = isAriaHiddenItself(element) || (!!parent && isAriaHiddenChain(parent));
    ariaChainCache.set(element, hidden);
  }
  return hidden;
}

/** Playwright's notion: shown, with a box that is not empty. */
export function hasVisibleBox(element: Element): boolean {
  if (!element.isConnected) return false;
  if (styleOf(element).display === 'contents') {
    let visible = false;
    eachRenderedChild(element, child => {
      visible ||= child instanceof Element ? hasVisibleBox(child) : child instanceof Text && hasTextBox(child);
    });
    return visible;
  }
  if (!element.checkVisibility({visibilityProperty: true})) return false;
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
}

function hasTextBox(text: Text): boolean {
  const range = document.createRange();
  range.selectNode(text);
  const box = range.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
}

const paintedNatives = new Set(['radio', 'checkbox', 'file']);

/**
 * The visible label of a radio, checkbox or file input that CSS hides: the page paints its own control over it, and
 * people use the label.
 */
export function standInLabel(element: Element): HTMLLabelElement | null {
  if (!(element instanceof HTMLInputElement) || !paintedNatives.has(element.type)) return null;
  for (const label of labelsOf(element)) if (hasVisibleBox(label)) return label;
  return null;
}

/** Visible, or hidden by CSS with a visible label that stands for it. */
export function isUsable(element: Element): boolean {
  if (element instanceof HTMLOptionElement) {
    const select = element.closest('select');
    if (select) return hasVisibleBox(select) && !element.hidden;
  }
  if (tagOf(element) === 'AREA') return !!imageOfArea(element) && hasVisibleBox(imageOfArea(element)!);
  return hasVisibleBox(element) || standInLabel(element) !== null;
}

/** The image that shows an <area>. */
export function imageOfArea(area: Element): HTMLImageElement | null {
  const map = area.closest('map');
  const name = map?.getAttribute('name') || map?.id;
  const root = area.getRootNode();
  if (!name || !(root instanceof Document || root instanceof ShadowRoot)) return null;
  return root.querySelector<HTMLImageElement>(`img[usemap="#${CSS.escape(name)}"]`);
}
