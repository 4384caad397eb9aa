// Text that CSS generates: `content` of ::before and ::after, and of elements themselves.

import {cache} from './caches';
import {styleOf} from './visible';

type Place = '::before' | '::after' | '';

const caches: Record<Place, Map<Element, string>> = {'::before': cache(), '::after': cache(), '': cache()};

/** What is generated there, with spaces around what is not inline; '' when nothing is. */
export function generatedText(element: Element, place: Place): string {
  const known = caches[place].get(element);
  if (known !== undefined) return known;
  const style = place ? getComputedStyle(element, place) : styleOf(element);
  const content = style.content;
  let text = '';
  if (content && content !== 'none' && content !== 'normal' && style.display !== 'none' && style.visibility !== 'hidden') {
    text = parseContent(content, element, place !== '') ?? '';
    if (place && text && style.display !== 'inline') text = ` ${text} `;
  }
  caches[place].set(element, text);
  return text;
}

/** A computed `content` value as text: strings and attr(); the alternative text behind a slash comes instead. */
function parseContent(content: string, element: Element, isPseudo: boolean): string | undefined {
  const parts: (string | null)[] = [];
  let slash = -1;
  const token = /\s*(?:"((?:\\[\s\S]|[^"\\])*)"|attr\(\s*([\w-]+)\s*\)|(\/)|([\w-]+\([^)]*\)|[^\s"\/]+))/y;
  for (let match; (match = token.exec(content));) {
    if (match[1] !== undefined) parts.push(unescapeCss(match[1]));
    else if (match[2] !== undefined) parts.push(element.getAttribute(match[2]) ?? '');
    else if (match[3]) slash = parts.length;
    else parts.push(null);
  }
  if (slash < 0 && !isPseudo) return undefined;
  const shown = slash < 0 ? parts : parts.slice(slash);
  return shown.includes(null) ? undefined : shown.join('');
}

function unescapeCss(text: string): string {
  return text.replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi,
                      (_, hex, char) => (hex ? String.fromCodePoint(parseInt(hex, 16) || 0xfffd) : char === '\n' ? '' : char));
}
