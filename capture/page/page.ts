// The page bundle: what browx asks of a document, answered inside it. Runs in an isolated world, so that the page's own
// scripts can neither see nor replace any of it. The functions are described in contract.md.

import {PageError} from './errors';
import {elementOf, idOf} from './ids';
import {toJson} from './text';

type PageFunction = (argument: any) => unknown;

const functions: Record<string, PageFunction> = {
};

function answerError(error: unknown): string {
  if (error instanceof PageError) return toJson({error: {kind: error.kind, message: error.message}});
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return toJson({error: {kind: 'page-function-failed', message: text}});
}

function call(name: string, argument: string): string | Promise<string> {
  try {
    const run = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (!run) throw new PageError('unknown-function', `There is no page function "${name}"`);
    const answer = run(argument ? JSON.parse(argument) : {});
    return answer instanceof Promise ? answer.then(toJson, answerError) : toJson(answer);
  } catch (error) {
    return answerError(error);
  }
}

const scope = globalThis as unknown as {__browx?: unknown};
if (!scope.__browx) {
  // idOf and elementOf are for Runtime.callFunctionOn, which passes nodes themselves.
  scope.__browx = {call, idOf, elementOf};
}
