// Element ids: positive integers, one element for ever within its document.

const ids = new WeakMap<Element, number>();
const elements = new Map<number, WeakRef<Element>>();
let last = 0;

export function idOf(element: Element): number {
  let id = ids.get(element);
  if (id === undefined) {
    id = ++last;
    ids.set(element, id);
    elements.set(id, new WeakRef(element));
  }
  return id;
}

/** The id an element has already, or undefined. */
export function knownId(element: Element): number | undefined {
  return ids.get(element);
}

/** The element, also when it is out of the document; undefined when it has been collected or never was. */
export function elementOf(id: number): Element | undefined {
  return elements.get(id)?.deref();
}

/** Every element with an id that is still in the document. */
export function* knownElements(): Generator<[number, Element]> {
  for (const [id, ref] of elements) {
    const element = ref.deref();
    if (element?.isConnected) yield [id, element];
  }
}
