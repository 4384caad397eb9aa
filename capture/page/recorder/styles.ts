// Styles that are in no attribute and no text: rules written through the object model, adopted sheets, sheets that are
// switched off. hooks.js says where something changed; here the sheet is read again and the difference becomes rrweb
// events. A sheet that is disabled has no rules in the stream: the format cannot say "disabled", and it looks the same.

import {splice} from './diff';
import {NodeType, Source} from './types';
import type {Mirror, MutationData, SerializedNode} from './types';
import type {World} from './world';

type Root = Document | ShadowRoot;
/** What the stream has of a sheet. `rules` are the live objects behind `texts`, where they are known. */
interface Known {
  texts: string[];
  rules: (CSSRule | null)[];
}

// Rules held by the page can change without a call that hooks.js sees; those sheets are compared at every full check.
export class Styles {
  private readonly known = new WeakMap<CSSStyleSheet, Known>();
  /** Sheets of <style> and <link> elements by their owner, as last seen; replaced when the browser parses anew. */
  private readonly constructed = new Map<number, WeakRef<CSSStyleSheet>>();
  private readonly ids = new WeakMap<CSSStyleSheet, number>();
  private lastId = 0;
  private readonly adoptedSent = new WeakMap<Root, CSSStyleSheet[]>();
  private roots = new Set<WeakRef<Root>>();
  private readonly seenRoots = new WeakSet<Root>();

  private readonly dirtyOwners = new Map<Element, boolean>();
  private readonly leaky = new Set<WeakRef<CSSStyleSheet>>();
  private dirtyConstructed: 'no' | 'shallow' | 'deep' = 'no';
  private readonly dirtyRoots = new Set<Root>();
  private scheduled = false;

  constructor(
    private readonly mirror: Mirror,
    private readonly world: World,
    private readonly emit: (data: {source: Source} & Record<string, unknown>) => void,
  ) {}

  /** An announcement of hooks.js about rules: `deep` when something inside a rule may have changed. */
  rulesChanged(target: Node, deep: boolean): void {
    if (target.nodeType === Node.DOCUMENT_NODE) {
      if (this.dirtyConstructed !== 'deep') this.dirtyConstructed = deep ? 'deep' : 'shallow';
    } else {
      this.dirtyOwners.set(target as Element, deep || this.dirtyOwners.get(target as Element) === true);
    }
    this.schedule();
  }

  adoptedChanged(target: Node): void {
    const root = target.nodeType === Node.DOCUMENT_NODE ? (target as Document) : (target as Element).shadowRoot;
    if (!root) return;
    this.dirtyRoots.add(root);
    this.schedule();
  }

  /** replace() has been called: its rules arrive in a later task. */
  replaceComing(): void {
    for (const delay of [0, 20, 100]) {
      setTimeout(() => {
        this.dirtyConstructed = 'deep';
        this.settle();
      }, delay);
    }
  }

  /** rrweb has written these nodes: what it wrote of their sheets is what the stream has now. */
  serialized(node: SerializedNode): void {
    if (node.type === NodeType.Element) {
      if (node.tagName === 'style' || '_cssText' in (node.attributes ?? {})) this.writtenWith(node.id);
      if (node.isShadowHost) this.track((this.mirror.getNode(node.id) as Element | null)?.shadowRoot);
    }
    if (node.childNodes) for (const child of node.childNodes) this.serialized(child);
  }

  /** A mutation event of rrweb has been emitted. */
  mutated(data: MutationData): void {
    for (const add of data.adds) this.serialized(add.node);
    for (const change of data.attributes) {
      if ('_cssText' in change.attributes) this.writtenWith(change.id);
      if ('disabled' in change.attributes || 'media' in change.attributes) {
        const owner = this.mirror.getNode(change.id);
        if (owner?.nodeName === 'LINK') this.rulesChanged(owner, false);
      }
    }
    if (data.adds.length && this.dirtyRoots.size) this.schedule();
  }

  /** A full snapshot has been emitted: a replayer forgets all adopted sheets there. */
  snapshotTaken(node: SerializedNode): void {
    this.constructed.clear();
    for (const reference of this.roots) {
      const root = reference.deref();
      if (root) {
        for (const sheet of this.adoptedSent.get(root) ?? []) this.ids.delete(sheet);
        this.adoptedSent.delete(root);
      }
    }
    this.track(document);
    this.serialized(node);
    for (const reference of this.roots) {
      const root = reference.deref();
      if (root) this.dirtyRoots.add(root);
    }
    this.settle();
  }

  /** Compares everything that changes without being announced: arrays and rules that the page holds on to. */
  check(): void {
    for (const reference of this.roots) {
      const root = reference.deref();
      if (!root) this.roots.delete(reference);
      else if (root.isConnected) this.adopted(root);
    }
    for (const reference of this.leaky) {
      const sheet = reference.deref();
      if (!sheet || !this.known.has(sheet)) this.leaky.delete(reference);
      else if (this.ids.has(sheet)) this.dirtyConstructed = 'deep';
      else if (sheet.ownerNode) this.dirtyOwners.set(sheet.ownerNode as Element, true);
    }
    this.settle();
  }

  /** A <link> has loaded (again). */
  loaded(link: Element): void {
    const sheet = (link as HTMLLinkElement).sheet;
    const before = this.ownerSheets.get(link);
    if (before && sheet !== before) this.rulesChanged(link, false);
  }

  private readonly ownerSheets = new WeakMap<Element, CSSStyleSheet>();

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    // Two turns: mutations of this task are told in between, and a shadow root must be in the stream before its sheets.
    queueMicrotask(() => queueMicrotask(() => this.scheduled && this.settle()));
  }

  private settle(): void {
    this.scheduled = false;
    const owners = [...this.dirtyOwners];
    this.dirtyOwners.clear();
    for (const [owner, deep] of owners) this.owned(owner, deep);
    if (this.dirtyConstructed !== 'no') {
      const deep = this.dirtyConstructed === 'deep';
      this.dirtyConstructed = 'no';
      for (const [id, reference] of this.constructed) {
        const sheet = reference.deref();
        if (sheet) this.compare(sheet, {styleId: id}, deep);
        else this.constructed.delete(id);
      }
    }
    for (const root of [...this.dirtyRoots]) if (this.adopted(root)) this.dirtyRoots.delete(root);
  }

  private writtenWith(id: number): void {
    const owner = this.mirror.getNode(id) as HTMLStyleElement | null;
    const sheet = owner?.sheet;
    if (!owner || !sheet) return;
    const rules = flattened(sheet);
    if (!rules) return;
    this.ownerSheets.set(owner, sheet);
    this.known.set(sheet, {rules, texts: rules.map((rule) => absolute(rule, rule.cssText))});
    if (sheet.disabled) this.rulesChanged(owner, false);
  }

  private owned(owner: Element, deep: boolean): void {
    const id = this.mirror.getId(owner);
    if (id < 0) return; // not in the stream yet: it will be written as it is then
    const sheet = (owner as HTMLStyleElement).sheet;
    const before = this.ownerSheets.get(owner);
    if (owner.nodeName === 'LINK' && !before) return; // not inlined: an asset
    if (!sheet) {
      // A link switched off has no sheet; the stream's copy of it must go.
      if (before) this.difference(this.known.get(before)?.texts ?? [], [], {id});
      if (before) this.known.set(before, {rules: [], texts: []});
      return;
    }
    if (before && before !== sheet && owner.nodeName === 'LINK') {
      // A link's new sheet replaces the inlined copy of the old one.
      const old = this.known.get(before);
      if (old) this.known.set(sheet, {texts: old.texts, rules: old.texts.map(() => null)});
    } else if (!this.known.has(sheet)) {
      // Its text was changed: the stream has that text, parsed by whoever replays it.
      const texts = parsed(owner.textContent ?? '');
      this.known.set(sheet, {texts, rules: texts.map(() => null)});
    }
    this.ownerSheets.set(owner, sheet);
    this.compare(sheet, {id}, deep);
  }

  private compare(sheet: CSSStyleSheet, where: {id: number} | {styleId: number}, deep: boolean): void {
    const before = this.known.get(sheet);
    const rules = sheet.disabled ? [] : flattened(sheet);
    if (!before || !rules) return;
    if (deep) this.leaky.add(new WeakRef(sheet));
    const texts: string[] = [];
    let same = rules.length === before.rules.length;
    for (let i = 0; i < rules.length; ++i) {
      const rule = rules[i]!;
      if (!deep && before.rules[i] === rule) {
        texts.push(before.texts[i]!);
        continue;
      }
      const text = absolute(rule, rule.cssText);
      if (text !== before.texts[i]) same = false;
      texts.push(text);
    }
    this.known.set(sheet, {rules, texts});
    if (!same) this.difference(before.texts, texts, where);
  }

  private difference(before: string[], after: string[], where: {id: number} | {styleId: number}): void {
    const {removes, adds} = splice(before, after);
    // A replayer applies adds before removes; two events keep the order that indexes need.
    if (removes.length) this.emit({source: Source.StyleSheetRule, ...where, removes: removes.map((index) => ({index}))});
    if (adds.length) this.emit({source: Source.StyleSheetRule, ...where, adds});
  }

  private track(root: Root | null | undefined): void {
    if (!root) return;
    if (!this.seenRoots.has(root)) {
      this.seenRoots.add(root);
      this.roots.add(new WeakRef(root));
    }
    this.dirtyRoots.add(root);
    this.schedule();
  }

  /** Emits the root's adopted sheets when they differ; false when the root is not in the stream yet. */
  private adopted(root: Root): boolean {
    const id = this.mirror.getId(root instanceof ShadowRoot ? root.host : root);
    if (id < 0) return !root.isConnected;
    if (!this.seenRoots.has(root)) {
      this.seenRoots.add(root);
      this.roots.add(new WeakRef(root));
    }
    const sheets = [...this.world.adopted(root)];
    const before = this.adoptedSent.get(root) ?? [];
    if (sheets.length === before.length && sheets.every((sheet, i) => sheet === before[i])) return true;
    this.adoptedSent.set(root, sheets);
    const styles: {styleId: number; rules: {rule: string; index: number}[]}[] = [];
    const styleIds = sheets.map((sheet) => {
      let styleId = this.ids.get(sheet);
      if (styleId === undefined) {
        styleId = ++this.lastId;
        this.ids.set(sheet, styleId);
        this.constructed.set(styleId, new WeakRef(sheet));
        const rules = sheet.disabled ? [] : (flattened(sheet) ?? []);
        const texts = rules.map((rule) => absolute(rule, rule.cssText));
        this.known.set(sheet, {rules, texts});
        styles.push({styleId, rules: texts.map((rule, index) => ({rule, index}))});
      }
      return styleId;
    });
    this.emit({source: Source.AdoptedStyleSheet, id, styleIds, ...(styles.length ? {styles} : {})});
    return true;
  }
}

/** A sheet's rules as rrweb inlines them, imported sheets in place; null where the browser does not show them. */
function flattened(sheet: CSSStyleSheet): CSSRule[] | null {
  let rules: CSSRuleList;
  try {
    rules = sheet.cssRules;
  } catch {
    return null;
  }
  const flat: CSSRule[] = [];
  for (let i = 0; i < rules.length; ++i) {
    const rule = rules[i]!;
    const imported = rule instanceof CSSImportRule && rule.styleSheet ? flattened(rule.styleSheet) : null;
    if (imported?.length) flat.push(...imported);
    else flat.push(rule);
  }
  return flat;
}

/** Rules of a text, as a replayer's browser will have them. */
function parsed(text: string): string[] {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return Array.from(sheet.cssRules, (rule) => absolute(rule, rule.cssText));
}

const kUrl = /url\((?:"([^"]*)"|'([^']*)'|([^)]*))\)/g;

/** Relative URLs of a rule mean its sheet's folder; in the stream they stand in the page's. */
function absolute(rule: CSSRule, text: string): string {
  if (!text.includes('url(')) return text;
  const base = rule.parentStyleSheet?.href ?? document.baseURI;
  return text.replace(kUrl, (all, double, single, bare) => {
    const url: string = double ?? single ?? bare ?? '';
    if (!url || url.startsWith('#') || /^[a-z][a-z0-9+.-]*:/i.test(url)) return all;
    try {
      return `url("${new URL(url, base).href}")`;
    } catch {
      return all;
    }
  });
}
