// Locators as Playwright code and as selectors.

/** A JavaScript string literal in single quotes. */
export function quoted(text: string): string {
  const inner = text.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\t/g, '\\t')
    .replace(/[\u0000-\u001f\u007f\u2028\u2029\ufeff]/g, c => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
  return `'${inner}'`;
}

/** A value inside the double quotes of an attribute selector. */
export function attributeValue(text: string): string {
  return '"' + text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\a ') + '"';
}

/** A regular expression literal that matches the text whatever its white space. */
export function wholeTextPattern(text: string): string {
  const words = text.trim().split(/\s+/).map(word => word.replace(/[.*+?^${}()|[\]\\\/]/g, '\\$&'));
  return `^\\s*${words.join('\\s+')}\\s*$`;
}

/** One step of a locator: how to write it, and how to count it under Playwright's rules. */
export interface Step {
  playwright: string;
  /** In the forms that people write (`role=…`, `text=…`, CSS, `>>`); '' where there is none, or only for a part of the step. */
  selector: string;
  counted: string;
  /** The selector may find others than what is counted. */
  loose?: boolean;
}

export function byRole(role: string, name: string, exact: boolean): Step {
  if (!name) return {playwright: `getByRole(${quoted(role)})`, selector: `role=${role}`, counted: `internal:role=${role}`};
  return {
    playwright: `getByRole(${quoted(role)}, { name: ${quoted(name)}${exact ? ', exact: true' : ''} })`,
    selector: exact ? `role=${role}[name=${roleValue(name)}]` : `role=${role}[name*=${roleValue(name)} i]`,
    counted: `internal:role=${role}[name=${roleValue(name)}${exact ? 's' : 'i'}]`,
  };
}

function roleValue(text: string): string {
  return '"' + text.replace(/[\\"]/g, '\\$&') + '"';
}

export function byAttribute(method: string, attribute: string, value: string, exact: boolean): Step {
  return {
    playwright: `${method}(${quoted(value)}${exact ? ', { exact: true }' : ''})`,
    selector: exact ? `[${attribute}=${attributeValue(value)}]` : `[${attribute}*=${attributeValue(value)} i]`,
    counted: `internal:attr=[${attribute}=${roleValue(value)}${exact ? 's' : 'i'}]`,
  };
}

export function byText(method: 'getByText' | 'getByLabel', text: string, exact: boolean): Step {
  const engine = method === 'getByText' ? 'internal:text' : 'internal:label';
  const counted = `${engine}=${JSON.stringify(text)}${exact ? 's' : 'i'}`;
  const playwright = `${method}(${quoted(text)}${exact ? ', { exact: true }' : ''})`;
  if (method === 'getByLabel') return {playwright, selector: '', counted};
  // Whole texts are those of one run of text there; what else the element holds does not count.
  if (exact) return {playwright, selector: `text=${roleValue(text)}`, counted, loose: true};
  const plain = /^[^\s"'\/][^"'`\\]*$/.test(text) && !text.includes('>>');
  return {playwright, selector: plain ? `text=${text}` : `:text(${roleValue(text)})`, counted};
}

export function byCss(css: string): Step {
  return {playwright: `locator(${quoted(css)})`, selector: css, counted: `css=${css}`};
}

export function byTestId(attribute: string, value: string): Step {
  const css = `[${attribute}=${attributeValue(value)}]`;
  // getByTestId means the attribute that the test runner is configured with: data-testid, unless told otherwise.
  const playwright = attribute === 'data-testid' ? `getByTestId(${quoted(value)})` : `locator(${quoted(css)})`;
  return {playwright, selector: css, counted: `css=${css}`};
}

/** Keeps of the step's matches those that contain the text. */
export function withText(step: Step, text: string, whole: boolean): Step {
  if (whole) {
    const pattern = wholeTextPattern(text);
    const filter = ` >> internal:has-text=/${pattern}/`;
    const inside = step.selector && `${step.selector} >> :scope:has-text(${roleValue(text)})`;
    return {playwright: `${step.playwright}.filter({ hasText: /${pattern}/ })`, selector: inside, counted: step.counted + filter, loose: true};
  }
  const filter = ` >> internal:has-text=${JSON.stringify(text)}i`;
  return {
    playwright: `${step.playwright}.filter({ hasText: ${quoted(text)} })`,
    selector: step.selector && `${step.selector} >> :scope:has-text(${roleValue(text)})`,
    counted: step.counted + filter,
  };
}

export function within(outer: Step, inner: Step): Step {
  return {
    playwright: `${outer.playwright}.${inner.playwright}`,
    selector: outer.selector && inner.selector && `${outer.selector} >> ${inner.selector}`,
    counted: `${outer.counted} >> ${inner.counted}`,
    ...((outer.loose || inner.loose) && {loose: true}),
  };
}
