// Text of elements as Playwright matches it: text nodes whether shown or not, shadow trees included.

import {cache} from '../caches';
import {normalise} from '../text';

export interface ElementText {
  full: string;
  normalised: string;
  /** The runs of text that are direct children. */
  immediate: string[];
}

export type TextTest = (text: ElementText) => boolean;

const texts = cache<Element | ShadowRoot, ElementText>();

function skipped(node: Element | ShadowRoot): boolean {
  if (!(node instanceof Element)) return false;
  const name = node.nodeName;
  return name === 'SCRIPT' || name === 'NOSCRIPT' || name === 'STYLE' || !!document.head?.contains(node);
}

export function textOfElement(root: Element | ShadowRoot): ElementText {
  const known = texts.get(root);
  if (known) return known;
  const text: ElementText = {full: '', normalised: '', immediate: []};
  if (skipped(root)) {
    // no text
  } else if (root instanceof HTMLInputElement && /^(?:submit|button|reset)$/.test(root.type)) {
    text.full = root.value;
    text.immediate.push(root.value);
  } else {
    let run = '';
    const endRun = () => {
      if (run) text.immediate.push(run);
      run = '';
    };
    for (let child = root.firstChild; child; child = child.nextSibling) {
      if (child.nodeType === Node.TEXT_NODE) {
        run += (child as Text).data;
        text.full += (child as Text).data;
      } else if (child.nodeType !== Node.COMMENT_NODE) {
        endRun();
        if (child.nodeType === Node.ELEMENT_NODE) text.full += textOfElement(child as Element).full;
      }
    }
    endRun();
    if (root instanceof Element && root.shadowRoot) text.full += textOfElement(root.shadowRoot).full;
  }
  text.normalised = normalise(text.full);
  texts.set(root, text);
  return text;
}

/** Whether the element matches, and whether it does so itself or already through a child. */
export function matchText(element: Element, test: TextTest): 'none' | 'self' | 'child' {
  if (skipped(element) || !test(textOfElement(element))) return 'none';
  for (let child = element.firstElementChild; child; child = child.nextElementSibling)
    if (test(textOfElement(child))) return 'child';
  return element.shadowRoot && test(textOfElement(element.shadowRoot)) ? 'child' : 'self';
}

export function includesText(wanted: string): TextTest {
  const text = normalise(wanted).toLowerCase();
  return t => t.normalised.toLowerCase().includes(text);
}

/** The whole text of one run of text nodes. */
export function isRun(wanted: string): TextTest {
  const text = normalise(wanted);
  return t => (!text && !t.immediate.length) || t.immediate.some(run => normalise(run) === text);
}

export function isText(wanted: string): TextTest {
  const text = normalise(wanted);
  return t => t.normalised === text;
}

export function matchesRegExp(expression: RegExp): TextTest {
  return t => {
    expression.lastIndex = 0;
    return expression.test(t.full);
  };
}
