// Text on its way out: valid Unicode, bounded, whitespace as readers see it.

/** JSON whose strings and keys are all well-formed. */
export function toJson(value: unknown): string {
  // JSON.stringify writes a lone surrogate as an escape (\ud83d); everything else it writes is well-formed.
  const text = JSON.stringify(value) ?? 'null';
  return /\\ud[89a-f]/i.test(text) ? JSON.stringify(value, (_, v) => (typeof v === 'string' ? v.toWellFormed() : v)) : text;
}

/** HTML's own white space collapsed and trimmed; a no-break space stays, as in the browser's accessibility tree. */
export function collapse(text: string): string {
  return text.replace(/[ \t\n\r\f]+/g, ' ').replace(/^ | $/g, '');
}

/** As Playwright compares texts: soft hyphens and zero-width spaces dropped, every run of white space one space. */
export function normalise(text: string): string {
  return text.replace(/[\u200b\u00ad]/g, '').trim().replace(/\s+/g, ' ');
}

/** At most `max` characters, never splitting a surrogate pair, with a mark where something is missing. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(max - 2)) ? max - 2 : max - 1;
  return text.slice(0, end) + '…';
}
