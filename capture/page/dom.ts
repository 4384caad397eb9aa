// The tree as it is rendered: open shadow roots entered, slotted nodes in their slots.

/** Upper-case tag name; of SVG too ("SVG", "A"). */
export function tagOf(element: Element): string {
  const name = element.nodeName;
  return name.charCodeAt(0) >= 97 ? name.toUpperCase() : name;
}

/** The element that holds this one, over the border of an open or closed shadow root. */
export function parentOf(node: Node): Element | null {
  const parent = node.parentNode;
  if (!parent) return null;
  if (parent instanceof Element) return parent;
  return parent instanceof ShadowRoot ? parent.host : null;
}

/** The parent in the rendered tree: the slot a node is assigned to comes before the element that contains it. */
export function renderedParent(node: Element | Text): Element | null {
  return node.assignedSlot ?? parentOf(node);
}

/** Calls `visit` with the children of the rendered tree. */
export function eachRenderedChild(element: Element, visit: (child: Node) => void): void {
  if (element.nodeName === 'SLOT') {
    const assigned = (element as HTMLSlotElement).assignedNodes();
    if (assigned.length) return assigned.forEach(visit);
  }
  for (let child = (element.shadowRoot ?? element).firstChild; child; child = child.nextSibling) visit(child);
}

/** True when `inner` is `outer` or lies in it, shadow trees and slots included. */
export function contains(outer: Element, inner: Element): boolean {
  for (let e: Element | null = inner; e; e = parentOf(e)) if (e === outer) return true;
  for (let e: Element | null = inner; e; e = renderedParent(e)) if (e === outer) return true;
  return false;
}

/** closest() over shadow borders. */
export function closest(element: Element, css: string): Element | null {
  for (let e: Element | null = element; e;) {
    const found: Element | null = e.closest(css);
    if (found) return found;
    const root: Node = e.getRootNode();
    e = root instanceof ShadowRoot ? root.host : null;
  }
  return null;
}

/** The elements an id list names, in the scope of `element`. */
export function byIds(element: Element, list: string | null): Element[] {
  if (!list) return [];
  const root = element.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return [];
  const found: Element[] = [];
  for (const id of list.split(/[ \t\n\f\r]+/)) {
    const target = id ? root.getElementById(id) : null;
    if (target && !found.includes(target)) found.push(target);
  }
  return found;
}

/** Every element under `root` in document order, a host's shadow tree before its light children. */
export function allElements(root: ParentNode, into: Element[] = []): Element[] {
  const own = root instanceof Element ? root.shadowRoot : null;
  if (own) allElements(own, into);
  const elements = root.querySelectorAll('*');
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i]!;
    into.push(element);
    if (element.shadowRoot) allElements(element.shadowRoot, into);
  }
  return into;
}

/** `root` and every open shadow root under it. */
export function treeScopes(root: ParentNode): ParentNode[] {
  const scopes: ParentNode[] = [root];
  for (let i = 0; i < scopes.length; i++) {
    const scope = scopes[i]!;
    if (scope instanceof Element && scope.shadowRoot) scopes.push(scope.shadowRoot);
    const elements = scope.querySelectorAll('*');
    for (let n = 0; n < elements.length; n++) {
      const shadow = elements[n]!.shadowRoot;
      if (shadow) scopes.push(shadow);
    }
  }
  return scopes;
}

/** The focused element, inside shadow trees too. */
export function focusedElement(): Element | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}

/** Sorts into document order over shadow borders, without duplicates. */
export function inDocumentOrder(elements: Iterable<Element>): Element[] {
  const list = [...new Set(elements)];
  const path = (element: Element): Element[] => {
    const up: Element[] = [];
    for (let e: Element | null = element; e; e = parentOf(e)) up.push(e);
    return up.reverse();
  };
  const paths = new Map(list.map(e => [e, path(e)]));
  return list.sort((a, b) => {
    const left = paths.get(a)!, right = paths.get(b)!;
    let i = 0;
    while (i < left.length && left[i] === right[i]) i++;
    const x = left[i], y = right[i];
    if (!x || !y) return x ? 1 : y ? -1 : 0;
    if (x.getRootNode() !== y.getRootNode()) return x.getRootNode() instanceof ShadowRoot ? -1 : 1;
    return x.compareDocumentPosition(y) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
  });
}

/** `div#veil.cover`, for messages. */
export function nameOfTag(element: Element): string {
  let text = element.localName;
  if (element.id) text += '#' + element.id;
  const classes = element.getAttribute('class')?.trim().split(/\s+/).slice(0, 2) ?? [];
  if (!element.id && classes[0]) text += '.' + classes.join('.');
  return text;
}
