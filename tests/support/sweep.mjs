// Looks for values that must be nowhere, in every form in which programs pass them on.

/// The forms of `value`: [{form, text}].
export function forms(value) {
  const url = encodeURIComponent(value), json = JSON.stringify(value).slice(1, -1), bytes = Buffer.from(value, 'utf8');
  const all = [
    ['plain', value], ['URL-encoded', url], ['URL-encoded, lower case', url.replace(/%[0-9A-F]{2}/g, c => c.toLowerCase())], ['form-encoded', url.replaceAll('%20', '+')],
    ['JSON-escaped', json], ['JSON-escaped twice', JSON.stringify(json).slice(1, -1)],
    ['JSON in \\u escapes', [...value].map(c => (/[\w ]/.test(c) ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)).join('')],
    ['HTML-escaped', value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')],
    ...[0, 1, 2].map(shift => [`base64 at alignment ${shift}`, inner(bytes, shift)]),
  ];
  const seen = new Set();
  return all.filter(([, text]) => text.length >= 4 && !seen.has(text) && seen.add(text)).map(([form, text]) => ({ form, text }));
}

// What stands in base64 text whatever surrounds the value: the characters that depend on its bytes alone.
function inner(bytes, shift) {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64').replace(/=+$/, '');
  const first = Math.ceil((shift * 8) / 6), last = Math.floor(((shift + bytes.length) * 8) / 6);
  return whole.slice(first, last);
}

/// Every run of `length` characters of `value`.
export const pieces = (value, length) => Array.from({ length: Math.max(0, value.length - length + 1) }, (_, i) => value.slice(i, i + length));

/// [{where, name, form, around}] for each of `values` ({name: value}) found in any form in `places` ([{where, bytes}]).
export function sweep(places, values) {
  const needles = Object.entries(values).flatMap(([name, value]) => forms(value).map(one => ({ name, ...one })));
  return find(places, needles);
}

/// The same for runs of `length` characters.
export const sweepPieces = (places, values, length) => find(places, Object.entries(values).flatMap(([name, value]) => pieces(value, length).map(text => ({ name, form: `${length} characters of it`, text }))));

function find(places, needles) {
  const found = [];
  for (const { where, bytes } of places) {
    for (const { name, form, text } of needles) {
      const at = bytes.indexOf(text);
      if (at >= 0) found.push({ where, name, form, around: bytes.subarray(Math.max(0, at - 60), at + text.length + 60).toString('utf8') });
    }
  }
  return found;
}
