// One expectation about one element, judged now.

import {attached, describeText} from './describe';
import {maskValues, shownValue} from './sensitive';
import {checkedOf, valueOf} from './states';
import {cut, normalise} from './text';
import {isUsable} from './visible';

interface Expectation {
  id: number;
  kind: 'visible' | 'text' | 'value' | 'attribute';
  expected?: string;
  exact?: boolean;
  attribute?: string;
}

const longestActual = 1000;

/** What an expectation that holds was met by, for tests that ask again by other means. */
type Matched = 'content' | 'shown' | 'value' | 'label' | 'checked';

/** `{holds, actual, matched?}`; actual is null for what is not there. A page may show elsewhere what a sensitive field holds: that is masked. */
export function holds(argument: Expectation): {holds: boolean; actual: unknown; matched?: Matched} {
  const seen = judge(argument);
  return {holds: seen.holds, ...(seen.holds && seen.matched && {matched: seen.matched}), actual: typeof seen.actual === 'string' ? cut(String(maskValues({value: seen.actual}).value), longestActual) : seen.actual};
}

function judge(argument: Expectation): {holds: boolean; actual: string | null; matched?: Matched} {
  const element = attached(argument.id);
  const expected = argument.expected ?? '';
  switch (argument.kind) {
    case 'visible': return {holds: isUsable(element), actual: isUsable(element) ? 'visible' : 'hidden'};
    case 'text': {
      const actual = normalise(describeText(element)), wanted = normalise(expected);
      const same = argument.exact ? actual === wanted || normalise(element.textContent ?? '') === wanted
                                  : actual.toLowerCase().includes(wanted.toLowerCase());
      // Playwright reads textContent unless it is told otherwise: hidden text too, and no space between blocks.
      const content = normalise(element.textContent ?? '');
      const by = argument.exact ? content === wanted : content.toLowerCase().includes(wanted.toLowerCase());
      return {holds: same, actual, matched: element instanceof HTMLSelectElement ? 'label' : by ? 'content' : 'shown'};
    }
    case 'value': {
      const values = valuesOf(element);
      const wanted = expected.replace(/\r\n?/g, '\n');
      const shown = values[0];
      const select = element instanceof HTMLSelectElement && values[0] !== wanted;
      const matched = select ? 'label' : checkedOf(element) !== undefined && valueOf(element) === undefined ? 'checked' : 'value';
      return {holds: values.includes(wanted), matched, actual: shown === undefined ? null : shownValue(element, shown)};
    }
    case 'attribute': {
      const actual = element.getAttribute(argument.attribute ?? '');
      const shown = actual !== null && argument.attribute === 'value' ? shownValue(element, actual) : actual;
      return {
        holds: actual !== null && (argument.expected === undefined || actual === expected),
        actual: shown,
      };
    }
  }
}

/** What counts as the value of a control: of a select its value or its label, of a check box its state. */
function valuesOf(element: Element): string[] {
  if (element instanceof HTMLSelectElement) {
    const labels = valueOf(element) ?? '';
    return [element.multiple ? [...element.selectedOptions].map(o => o.value).join(', ') : element.value, labels];
  }
  const value = valueOf(element);
  if (value !== undefined) return [value];
  const checked = checkedOf(element);
  if (checked !== undefined) return [String(checked)];
  return element instanceof HTMLButtonElement || element instanceof HTMLInputElement ? [element.value] : [];
}
