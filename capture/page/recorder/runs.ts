// Masking inside text. Pure, so that it can be tested without a page.

export const kMasked = '[masked value]';

/** Runs this long of a field's value count as parts of it while it is typed. */
export const kShortestRun = 4;

/** `text` with every run of `kShortestRun` or more consecutive characters of one of `values` replaced. */
export function maskRuns(text: string, values: readonly string[]): string {
  if (text.length < kShortestRun) return text;
  const grams = new Set<string>();
  for (const value of values) {
    for (let i = 0; i + kShortestRun <= value.length; ++i) grams.add(value.slice(i, i + kShortestRun));
  }
  if (!grams.size) return text;
  let out = '';
  let copied = 0;
  for (let i = 0; i + kShortestRun <= text.length; ++i) {
    if (!grams.has(text.slice(i, i + kShortestRun))) continue;
    let end = i + kShortestRun;
    while (end < text.length && grams.has(text.slice(end - kShortestRun + 1, end + 1))) ++end;
    out += text.slice(copied, i) + kMasked;
    copied = end;
    i = end - 1;
  }
  return copied ? out + text.slice(copied) : text;
}

/** `text` with every whole occurrence of one of `values` replaced; longer values first. */
export function maskWhole(text: string, values: readonly string[]): string {
  let out = text;
  for (const value of values) {
    if (value && out.includes(value)) out = out.split(value).join(kMasked);
  }
  return out;
}

/** Query values and the fragment of a URL, replaced; keys stay. What does not parse is answered without its query. */
export function redactUrl(url: string): string {
  const [head, ...rest] = url.split('#');
  const fragment = rest.length ? '#…' : '';
  const cut = head!.indexOf('?');
  if (cut < 0) return withoutUserinfo(head!) + fragment;
  const query = head!
    .slice(cut + 1)
    .split('&')
    .map((pair) => (pair.includes('=') ? pair.slice(0, pair.indexOf('=')) + '=…' : pair ? '…' : ''))
    .join('&');
  return `${withoutUserinfo(head!.slice(0, cut))}?${query}${fragment}`;
}

function withoutUserinfo(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
}
