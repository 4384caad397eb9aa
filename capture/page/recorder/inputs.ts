// Values that scripts set. A setter of the page's world is out of reach without patching it, so every control that is in
// the stream is compared with what the stream has of it, at each flush and a few times a second.

import {NodeType, Source} from './types';
import type {Mirror, MutationData, SerializedNode} from './types';

interface State {
  text: string;
  isChecked: boolean;
}

const kControls = new Set(['input', 'textarea', 'select']);

export class Inputs {
  private readonly known = new Map<number, State>();

  constructor(
    private readonly mirror: Mirror,
    private readonly emit: (data: {source: Source.Input; id: number} & State) => void,
    /** The value as it may be told. */
    private readonly mask: (value: string, element: Element) => string,
  ) {}

  get size(): number {
    return this.known.size;
  }

  serialized(node: SerializedNode): void {
    if (node.type === NodeType.Element && kControls.has(node.tagName!)) {
      const element = this.mirror.getNode(node.id);
      if (element) this.known.set(node.id, read(element as HTMLInputElement));
    }
    if (node.childNodes) for (const child of node.childNodes) this.serialized(child);
  }

  mutated(data: MutationData): void {
    for (const add of data.adds) {
      this.serialized(add.node);
      // Its options arrive as nodes of their own and choose a value.
      const parent = add.node.tagName === 'option' ? this.mirror.getNode(add.parentId) : null;
      const select = parent && (parent as Element).closest?.('select');
      if (select) this.known.set(this.mirror.getId(select), read(select as unknown as HTMLInputElement));
    }
  }

  /** rrweb has told a value itself. */
  told(id: number): void {
    const element = this.mirror.getNode(id);
    if (element) this.known.set(id, read(element as HTMLInputElement));
  }

  /** Emits what changed without an event. */
  check(): void {
    for (const [id, before] of this.known) {
      const element = this.mirror.getNode(id) as HTMLInputElement | null;
      if (!element) {
        this.known.delete(id);
        continue;
      }
      const now = read(element);
      if (now.text === before.text && now.isChecked === before.isChecked) continue;
      this.known.set(id, now);
      const text = toggles(element) ? now.text : this.mask(now.text, element);
      this.emit({source: Source.Input, id, text, isChecked: now.isChecked});
    }
  }
}

const toggles = (element: HTMLInputElement) => element.type === 'checkbox' || element.type === 'radio';

const read = (element: HTMLInputElement): State => ({
  text: element.value ?? '',
  isChecked: toggles(element) && element.checked,
});
