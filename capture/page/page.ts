// The page bundle: what browx asks of a document, answered inside it. Runs in an isolated world, so that the page's own
// scripts can neither see nor replace any of it. The functions are described in contract.md.

import {freshen} from './caches';
import {actionBegin, actionEnd, changed, waitFor} from './changes';
import {describe, documentText, names} from './describe';
import {PageError} from './errors';
import {holds} from './expect';
import {fillBegin, fillEnd, focus, focused, selectBegin, selectEnd} from './fill';
import {drawn} from './frames';
import {alive, nextCall} from './identity';
import {elementOf, idOf} from './ids';
import {candidates} from './locate/candidates';
import {at, hits, prepare, scroll, scrollIntoView, transform} from './prepare';
import {query} from './selector/query';
import {maskValues, sensitiveBoxes} from './sensitive';
import {toJson} from './text';
import {walk} from './walk';

type PageFunction = (argument: any) => unknown;

/** What a page shows elsewhere of a sensitive field's value is masked like the field; short values only there. */
function masked(of: PageFunction): PageFunction {
  const mask = (answer: unknown) => maskValues({value: answer, short: false}).value;
  return argument => {
    const answer = of(argument);
    return answer instanceof Promise ? answer.then(mask) : mask(answer);
  };
}

const functions: Record<string, PageFunction> = {
  walk: masked(walk), query, alive, describe: masked(describe), names, text: masked(documentText),
  prepare, hits, at, scrollIntoView, scroll, transform,
  fillBegin, fillEnd, selectBegin, selectEnd, focus, focused,
  actionBegin, actionEnd: masked(actionEnd), waitFor, changed, holds,
  sensitiveBoxes, maskValues, candidates, drawn,
};

/** recorder.js, a bundle of its own in the same world, adds its functions when it is there. */
const scope = globalThis as unknown as {__browx?: unknown; __browxRecorder?: {functions: Record<string, PageFunction>}};

function answerError(error: unknown): string {
  if (error instanceof PageError) return toJson({error: {kind: error.kind, message: error.message}});
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return toJson({error: {kind: 'page-function-failed', message: text}});
}

function call(name: string, argument: string): string | Promise<string> {
  try {
    freshen();
    nextCall();
    const run = Object.hasOwn(functions, name) ? functions[name] : scope.__browxRecorder?.functions[name];
    if (!run) throw new PageError('unknown-function', `There is no page function "${name}"`);
    const answer = run(argument ? JSON.parse(argument) : {});
    if (answer instanceof Promise) return answer.then(toJson, answerError).finally(freshen);
    return toJson(answer);
  } catch (error) {
    return answerError(error);
  } finally {
    freshen();
  }
}

if (!scope.__browx) {
  // idOf and elementOf are for Runtime.callFunctionOn, which passes nodes themselves.
  scope.__browx = {call, idOf, elementOf};
}
