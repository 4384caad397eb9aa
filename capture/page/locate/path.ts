// CSS for one element: by an id or name that somebody gave, else by position.

import {attributeValue} from './code';
import {looksGenerated} from './generated_id';

/** `#order-notes`, or `[id="2fa-code"]` where the short form would need escapes. */
export function cssById(element: Element): string {
  const id = element.id;
  return /^[a-z_][\w-]*$/i.test(id) ? `#${id}` : `[id=${attributeValue(id)}]`;
}

/** `input[name="email"]` */
export function cssByName(element: Element): string | undefined {
  const name = element.getAttribute('name');
  if (!name || looksGenerated(name) || !/^(?:input|select|textarea|button|iframe|form)$/.test(element.localName)) return undefined;
  const value = element instanceof HTMLInputElement && element.type === 'radio' && element.getAttribute('value');
  return `${element.localName}[name=${attributeValue(name)}]` + (value ? `[value=${attributeValue(value)}]` : '');
}

/** Paths from the outside in, one for every shadow tree that the element lies in. */
export function cssPath(element: Element): string[] {
  const root = element.getRootNode();
  const here = pathWithin(element);
  return root instanceof ShadowRoot ? [...cssPath(root.host), here] : [here];
}

function pathWithin(element: Element): string {
  const steps: string[] = [];
  const root = element.getRootNode() as Document | ShadowRoot;
  for (let e: Element | null = element; e; e = e.parentElement) {
    if (e.id && !looksGenerated(e.id) && root.querySelectorAll(cssById(e)).length === 1) {
      steps.unshift(cssById(e));
      break;
    }
    if (e.localName === 'body' || e.localName === 'html') {
      steps.unshift(e.localName);
      if (e.localName === 'body') break;
      continue;
    }
    const likes = [...(e.parentNode?.children ?? [])].filter(s => s.localName === e!.localName);
    const tag = CSS.escape(e.localName);
    steps.unshift(likes.length > 1 ? `${tag}:nth-of-type(${likes.indexOf(e) + 1})` : tag);
  }
  return steps.join(' > ');
}
