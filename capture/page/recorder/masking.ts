// Masks events before they leave the page. What a sensitive field holds never leaves it, not even partly:
//  * its own value is replaced wherever rrweb would write it;
//  * while it is being typed (first keystroke to next blur), runs of four or more of its characters are replaced in
//    every node that changes;
//  * in nodes that change in the same task as its input, the whole value is replaced however short it is;
//  * everywhere else its whole value is replaced when it has six or more characters.
// A node that showed a part of a value keeps being masked: a later snapshot would tell it otherwise.

import {freshen} from '../caches';
import {isSensitive} from '../sensitive';
import {kMasked, maskRuns, maskWhole, redactUrl} from './runs';
import {EventType, NodeType, Source} from './types';
import type {Attributes, Config, Mirror, MutationData, RecordedEvent, SerializedNode} from './types';

const kShortestWhole = 6;
const kValuesKept = 64;

// Attributes that are structure: they stay under a masked selector.
const kStructural = new Set(
  'class id style type role tabindex width height hidden disabled dir lang name for rel colspan rowspan slot part open checked selected _cssText'.split(' '),
);

export class Masking {
  /** Whole values known so far, oldest first, and the same longest first. */
  private known: string[] = [];
  private wholes: string[] = [];
  private readonly fields = new WeakSet<Element>();
  private readonly typing = new Map<Element, string[]>();
  private readonly sticky = new WeakMap<Node, string[]>();
  /** Values whose input event is being handled: nodes that change now may show them, however short they are. */
  private burst: string[] = [];
  private readonly selector: string;

  constructor(
    private readonly mirror: Mirror,
    private readonly config: Config,
    /** Tells the program values to mask in requests and console lines. */
    private readonly tell: (fields: {values: string[]; typing: boolean; recent: string[]}) => void,
  ) {
    this.selector = config.maskSelectors.filter(usable).join(',');
  }

  /** Once sensitive, always: a "show password" button turns the field into a text field. */
  sensitive(element: Element): boolean {
    if (this.fields.has(element)) return true;
    if (!isSensitive(element)) return false;
    this.fields.add(element);
    return true;
  }

  /** rrweb's maskInputFn: the value of an input or textarea. */
  input(value: string, element: Element): string {
    if (!value) return value;
    if (this.sensitive(element)) {
      this.learn((element as HTMLInputElement).value, element);
      return kMasked;
    }
    if (this.hidden(element)) return kMasked;
    return this.text(value, element, true);
  }

  /** An input event of a sensitive field, before the page or rrweb sees it. */
  onInput(element: Element): void {
    freshen();
    if (!this.sensitive(element)) return;
    const value = valueOf(element);
    const typed = this.typing.get(element) ?? [];
    const last = typed.at(-1);
    if (last !== undefined && value.startsWith(last)) typed[typed.length - 1] = value;
    else if (last === undefined || !last.startsWith(value)) typed.push(value);
    this.typing.set(element, typed);
    this.learn(value, element);
    if (value) {
      if (!this.burst.length) setTimeout(() => (this.burst = []), 0);
      this.burst.push(value);
    }
    this.tellProgram();
  }

  /** The field was left; handlers of the same task still belong to the typing. */
  onBlur(element: Element): void {
    if (!this.typing.has(element)) return;
    setTimeout(() => {
      this.typing.delete(element);
      this.tellProgram();
    }, 0);
  }

  event(event: RecordedEvent): void {
    freshen();
    const {data} = event;
    if (event.type === EventType.Meta) {
      if (this.config.redactUrls) data.href = redactUrl(data.href);
      data.href = maskWhole(data.href, this.wholes);
    } else if (event.type === EventType.FullSnapshot) {
      this.node(data.node, false);
    } else if (event.type === EventType.IncrementalSnapshot) {
      if (data.source === Source.Mutation) this.mutation(data);
      else if (data.source === Source.Input) this.inputEvent(data);
    }
  }

  private inputEvent(data: {id: number; text: string}): void {
    const element = this.mirror.getNode(data.id);
    if (!element || !data.text || data.text === kMasked) return;
    if (this.sensitive(element as Element) || this.hidden(element)) data.text = kMasked;
    else data.text = this.text(data.text, element, true);
  }

  private mutation(data: MutationData): void {
    for (const text of data.texts) {
      const node = this.mirror.getNode(text.id);
      if (text.value && node) text.value = this.nodeText(text.value, node, true);
    }
    for (const change of data.attributes) {
      const node = this.mirror.getNode(change.id);
      if (node) this.attributes(change.attributes, node as Element, true);
    }
    for (const add of data.adds) this.node(add.node, true);
  }

  private node(node: SerializedNode, changed: boolean): void {
    const live = this.mirror.getNode(node.id);
    if (live) {
      if (node.attributes) this.attributes(node.attributes, live as Element, changed);
      if (node.textContent) node.textContent = this.nodeText(node.textContent, live, changed);
    }
    if (node.childNodes) for (const child of node.childNodes) this.node(child, changed);
    // Its text is a value, too.
    if (node.tagName === 'textarea' && live && this.sensitive(live as Element)) {
      for (const child of node.childNodes ?? []) if (child.type === NodeType.Text && child.textContent) child.textContent = kMasked;
    }
  }

  private nodeText(value: string, node: Node, changed: boolean): string {
    if (this.selector && value.trim() && this.hidden(node)) return kMasked;
    const parent = node.parentNode;
    if (parent?.nodeName === 'TEXTAREA' && this.sensitive(parent as Element)) return kMasked;
    return this.text(value, node, changed);
  }

  private attributes(attributes: Attributes, element: Element, changed: boolean): void {
    const name = element.localName;
    if (name === 'input' || name === 'textarea') {
      if (this.sensitive(element)) {
        this.learn(valueOf(element), element);
        if (attributes.value) attributes.value = kMasked;
      }
    } else if (name === 'iframe' && 'srcdoc' in attributes) {
      // The frame's own stream has what became of it.
      delete attributes.srcdoc;
    }
    const hidden = this.selector && this.hidden(element);
    if (!hidden && !this.active(element)) return;
    for (const key in attributes) {
      const value = attributes[key];
      if (typeof value !== 'string') continue;
      if (hidden && value && !kStructural.has(key) && !key.startsWith('rr_')) attributes[key] = kMasked;
      else attributes[key] = this.text(value, element, changed);
    }
  }

  private active(node: Node): boolean {
    return this.wholes.length > 0 || this.typing.size > 0 || this.burst.length > 0 || this.sticky.has(node);
  }

  private text(value: string, node: Node, changed: boolean): string {
    if (!this.active(node) || value === kMasked) return value;
    let masked = maskWhole(value, this.wholes);
    if (changed && (this.burst.length || this.typing.size)) {
      // Judged by the text as it is: what a whole value hides now, a later snapshot must hide as well.
      const typed = [...this.typing.values()].flat();
      if (maskWhole(value, this.burst) !== value || maskRuns(value, typed) !== value) {
        this.sticky.set(node, [...new Set([...(this.sticky.get(node) ?? []), ...this.burst, ...typed])]);
      }
      masked = maskRuns(maskWhole(masked, this.burst), typed);
    }
    const earlier = this.sticky.get(node);
    return earlier ? maskRuns(maskWhole(masked, earlier), earlier) : masked;
  }

  /** Under one of the configured selectors, also across shadow boundaries. */
  private hidden(node: Node): boolean {
    if (!this.selector) return false;
    let element: Element | null = node.nodeType === Node.ELEMENT_NODE ? (node as Element) : node.parentElement;
    let root: Node = node.getRootNode();
    for (;;) {
      if (element?.closest(this.selector)) return true;
      if (!(root instanceof ShadowRoot)) return false;
      element = root.host;
      root = element.getRootNode();
    }
  }

  private learn(value: string, element: Element): void {
    if (value.length < kShortestWhole || this.known.includes(value)) return;
    // A field that is being typed would leave every prefix behind.
    const typed = this.typing.get(element);
    this.known = this.known.filter((older) => !(typed && value.startsWith(older)));
    this.known.push(value);
    if (this.known.length > kValuesKept) this.known.shift();
    this.wholes = [...this.known].sort((a, b) => b.length - a.length);
    if (!typed) this.tellProgram();
  }

  private tellProgram(): void {
    this.tell({values: this.wholes, typing: this.typing.size > 0, recent: [...this.typing.values()].flat()});
  }
}

export function valueOf(element: Element): string {
  const {value} = element as HTMLInputElement;
  return typeof value === 'string' ? value : (element.textContent ?? '');
}

function usable(selector: string): boolean {
  try {
    document.createDocumentFragment().querySelector(selector);
    return true;
  } catch {
    return false;
  }
}
