// The attribute syntax of role selectors: `button[name="Save" i][pressed=true]`.

import {PageError} from '../errors';

export type Operator = '' | '=' | '*=' | '^=' | '$=' | '|=' | '~=';

export interface AttributePart {
  name: string;
  /** '': the bare `[name]` */
  operator: Operator;
  value: string | number | boolean | RegExp;
  caseSensitive: boolean;
}

export interface AttributeSelector {
  name: string;
  attributes: AttributePart[];
}

export function invalid(selector: string, why: string): PageError {
  return new PageError('invalid-selector', `The selector ${JSON.stringify(selector)} cannot be read: ${why}`);
}

export function parseAttributes(source: string): AttributeSelector {
  let at = 0;
  const fail = (why: string): never => {
    throw invalid(source, `${why} at position ${at}`);
  };
  const spaces = () => {
    while (/\s/.test(source.charAt(at))) at++;
  };
  const word = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const match = pattern.exec(source)?.[0] ?? '';
    at += match.length;
    return match;
  };
  const quoted = (): string => {
    const quote = source.charAt(at++);
    let text = '';
    while (at < source.length && source[at] !== quote) {
      if (source[at] === '\\' && at + 1 < source.length) at++;
      text += source.charAt(at++);
    }
    if (source[at] !== quote) fail('a quote is missing');
    at++;
    return text;
  };
  const expression = (): RegExp => {
    const match = word(/\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\/\\\[])+\/[dgimsuvy]*/y);
    if (!match) fail('the regular expression does not end');
    const slash = match.lastIndexOf('/');
    try {
      return new RegExp(match.slice(1, slash), match.slice(slash + 1));
    } catch (error) {
      return fail((error as Error).message);
    }
  };
  const identifier = /[\w\u0080-\uffff-]*/y;
  const attributePart = (): AttributePart => {
    at++;
    spaces();
    const start = source.charAt(at);
    const name = start === '"' || start === "'" ? quoted() : word(identifier);
    if (!name) fail('an attribute name is missing');
    spaces();
    if (source[at] === ']') {
      at++;
      return {name, operator: '', value: true, caseSensitive: false};
    }
    const operator = word(/[*^$|~]?=/y) as Operator;
    if (!operator) fail('an operator is missing');
    spaces();
    let value: string | number | boolean | RegExp;
    let caseSensitive = true;
    const first = source.charAt(at);
    if (first === '/') {
      value = expression();
      if (operator !== '=') fail('a regular expression goes with = alone');
    } else if (first === '"' || first === "'") {
      value = quoted();
      spaces();
      const flag = word(/[iIsS]/y).toLowerCase();
      caseSensitive = flag !== 'i';
    } else {
      const text = word(/[\w\u0080-\uffff+.-]*/y);
      if (!text) fail('a value is missing');
      value = text === 'true' ? true : text === 'false' ? false : text;
    }
    spaces();
    if (source[at] !== ']') fail('a ] is missing');
    at++;
    return {name, operator, value, caseSensitive};
  };
  spaces();
  const result: AttributeSelector = {name: word(identifier), attributes: []};
  spaces();
  while (source[at] === '[') {
    result.attributes.push(attributePart());
    spaces();
  }
  if (at < source.length) fail(`unexpected ${JSON.stringify(source.charAt(at))}`);
  if (!result.name && !result.attributes.length) fail('it is empty');
  return result;
}

/** How a text compares with the value of an attribute part. */
export function compare(actual: string, part: Pick<AttributePart, 'operator' | 'value' | 'caseSensitive'>): boolean {
  if (part.value instanceof RegExp) {
    part.value.lastIndex = 0;
    return part.value.test(actual);
  }
  const fold = (text: string) => (part.caseSensitive ? text : text.toUpperCase());
  const text = fold(actual), wanted = fold(String(part.value));
  switch (part.operator) {
    case '': return actual !== '';
    case '=': return text === wanted;
    case '*=': return text.includes(wanted);
    case '^=': return text.startsWith(wanted);
    case '$=': return text.endsWith(wanted);
    case '|=': return text === wanted || text.startsWith(wanted + '-');
    case '~=': return text.split(' ').includes(wanted);
  }
}
