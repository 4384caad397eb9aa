// Telling names that people gave from those a machine makes anew with every build or visit.

const prefixes = new RegExp('^(?:' + [
  'radix-', 'headlessui-', 'mui-', 'ember\\d', 'react-select-\\d', 'react-aria', 'cdk-', 'mat-[a-z-]+-\\d', 'ext-(?:gen|comp|element)',
  'yui_', 'gwt-uid', 'dijit_', 'ui-id-', 'tippy-', 'floating-ui', 'rc[-_]', 'el-id-', 'v-\\d', 'svelte-', 'chakra-', 'css-', 'sc-',
  'jss\\d', 'emotion-', 'styles?__', 'makeStyles', 'ng-', 'a11y-', 'downshift-', 'field-\\d', 'input-\\d{3,}', 'bits-', 'reka-', 'melt-',
  'base-ui', 'aria-?\\d', 'uid', 'guid', 'auto-?id',
].join('|') + ')', 'i');

/** True for values that will probably be others after the next load or build. */
export function looksGenerated(value: string): boolean {
  if (!value || value.length > 80) return true;
  if (/:[a-z0-9]*:|«|»/i.test(value) || prefixes.test(value)) return true;
  if (/[0-9a-f]{8}-[0-9a-f]{4}-/i.test(value) || /\d{5,}/.test(value)) return true;
  return value.split(/[^a-z0-9]+/i).some(looksHashed);
}

/** A token of letters and digits in no order that words have. */
function looksHashed(token: string): boolean {
  if (token.length >= 8 && /^[0-9a-f]+$/i.test(token) && /\d/.test(token)) return true;
  // Letters with a number behind or before them are words: step10, address2, 2fa, h264.
  const mixed = /[a-z]\d+[a-z]/i.test(token) || /\d[a-z]+\d/i.test(token);
  if (mixed && token.length >= 5) return true;
  return token.length >= 6 && /^[a-z]+$/.test(token) && !/[aeiouy]/.test(token);
}
