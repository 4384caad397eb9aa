// Labels of controls. `control.labels` walks the whole tree for every control; asked of many, it never ends.

import {cache} from './caches';

const byRoot = cache<Node, Map<Element, HTMLLabelElement[]>>();

/** The <label> elements of a control in document order. */
export function labelsOf(control: Element): readonly HTMLLabelElement[] {
  const root = control.getRootNode();
  let labels = byRoot.get(root);
  if (!labels) {
    labels = new Map();
    const all = root instanceof Document || root instanceof ShadowRoot || root instanceof Element ? root.querySelectorAll('label') : [];
    for (const label of all) {
      const target = label.control;
      if (!target) continue;
      const list = labels.get(target);
      if (list) list.push(label);
      else labels.set(target, [label]);
    }
    byRoot.set(root, labels);
  }
  return labels.get(control) ?? [];
}
