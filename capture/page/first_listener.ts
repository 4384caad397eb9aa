// The place in line before the page's own listeners. Shared by first.js, which takes it, and page.js, which uses it.

export type Handler = (event: Event) => void;

interface First {
  listener: Handler;
  handler?: Handler | undefined;
}

const scope = globalThis as unknown as {__browxFirst?: First};
const types = ['keydown', 'keypress', 'keyup', 'input', 'change'];

/** Takes the place where it is not taken yet; document.open() takes listeners away. */
export function listenFirst(): First {
  if (!scope.__browxFirst) {
    const first: First = {listener: event => first.handler?.(event)};
    scope.__browxFirst = first;
  }
  for (const type of types) addEventListener(type, scope.__browxFirst.listener, true);
  return scope.__browxFirst;
}
