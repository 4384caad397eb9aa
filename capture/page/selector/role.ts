// `role=button[name="Save"]`: roles, names and states as Playwright matches them.

import {allElements} from '../dom';
import {nameOf} from '../names';
import {roleOf} from '../roles';
import {checkedOf, expandedOf, isDisabled, levelOf, pressedOf, selectedOf} from '../states';
import {normalise} from '../text';
import {isHiddenForAria, standInLabel} from '../visible';
import {compare, invalid, parseAttributes, type AttributePart} from './attributes';
import {queryNative} from './css';

/**
 * Whose names count. `either`: the browser's or Playwright's, and controls that CSS hides behind a visible label;
 * `playwright`: its rules alone, for what its locators will find.
 */
export type Rules = 'either' | 'playwright';

/** Where an element of a role can be found, for the roles that are common. */
const candidates: Record<string, string> = {
  button: 'button,input,[role]', link: 'a,area,[role]', textbox: 'input,textarea,[role]', checkbox: 'input,[role]',
  radio: 'input,[role]', switch: '[role]', combobox: 'select,input,[role]', listbox: 'select,datalist,[role]',
  option: 'option,[role]', heading: 'h1,h2,h3,h4,h5,h6,[role]', row: 'tr,[role]', cell: 'td,[role]',
  gridcell: 'td,[role]', columnheader: 'th,[role]', rowheader: 'th,[role]', listitem: 'li,[role]', list: 'ul,ol,menu,[role]',
  table: 'table,[role]', grid: '[role]', tab: '[role]', tabpanel: '[role]', menuitem: '[role]', dialog: 'dialog,[role]',
  alert: '[role]', status: 'output,[role]', region: 'section,[role]', navigation: 'nav,[role]', main: 'main,[role]',
  img: 'img,svg,[role]', spinbutton: 'input,[role]', slider: 'input,[role]', searchbox: 'input,[role]',
};

type StateTest = (element: Element, value: AttributePart['value']) => boolean;

const stateTests: Record<string, StateTest> = {
  checked: (e, v) => (checkedOf(e) ?? false) === v,
  pressed: (e, v) => (pressedOf(e) ?? false) === v,
  selected: (e, v) => (selectedOf(e) ?? false) === v,
  expanded: (e, v) => expandedOf(e) === v,
  disabled: (e, v) => isDisabled(e) === v,
  level: (e, v) => (levelOf(e) ?? 0) === Number(v),
};

interface RoleQuery {
  role: string;
  name?: AttributePart;
  states: [StateTest, AttributePart['value']][];
  includeHidden: boolean;
}

export function parseRole(source: string, substring: boolean): RoleQuery {
  const {name: role, attributes} = parseAttributes(source);
  if (!role) throw invalid(source, 'a role is missing');
  const query: RoleQuery = {role: role.toLowerCase(), states: [], includeHidden: false};
  for (const part of attributes) {
    if (part.name === 'name') {
      if (part.operator === '' || typeof part.value === 'number' || typeof part.value === 'boolean')
        throw invalid(source, 'name wants a text or a regular expression');
      query.name = {...part, value: typeof part.value === 'string' ? normalise(part.value) : part.value};
      // Playwright's getByRole: a name that is not exact is looked for inside, whatever its case.
      if (substring && !part.caseSensitive && part.operator === '=') query.name.operator = '*=';
    } else if (part.name === 'include-hidden') {
      query.includeHidden = part.operator === '' || part.value === true;
    } else {
      const test = stateTests[part.name];
      if (!test) throw invalid(source, `${JSON.stringify(part.name)} is none of name, ${Object.keys(stateTests).join(', ')}, include-hidden`);
      const value = part.operator === '' ? true : part.value === 'mixed' ? 'mixed' : part.value;
      query.states.push([test, value]);
    }
  }
  return query;
}

/** The elements of a scope that may have the role. */
export function rolePool(scope: ParentNode, role: string): Element[] {
  const css = candidates[role];
  return css ? queryNative(scope, css) : allElements(scope);
}

export function matchesRole(element: Element, {role, name, states, includeHidden}: RoleQuery, rules: Rules): boolean {
  if (roleOf(element) !== role) return false;
  if (!states.every(([test, value]) => test(element, value))) return false;
  if (!includeHidden && isHiddenForAria(element) && !(rules === 'either' && standInLabel(element))) return false;
  return !name || nameMatches(element, name, rules);
}

export function queryRole(scope: ParentNode, source: string, substring: boolean, rules: Rules): Element[] {
  const query = parseRole(source, substring);
  return rolePool(scope, query.role).filter(element => matchesRole(element, query, rules));
}

function nameMatches(element: Element, part: AttributePart, rules: Rules): boolean {
  if (compare(normalise(nameOf(element, 'playwright')), part)) return true;
  return rules === 'either' && compare(normalise(nameOf(element, 'browser')), part);
}
