// The recorder of one document: stock rrweb in an isolated world, with what it cannot see from there supplied by
// hooks.js (styles.ts, late shadow roots), and everything masked before it leaves (masking.ts). Each document of each
// frame has its own; see docs/decisions/recorder-in-an-isolated-world.md.

import {record} from 'rrweb';

import {BlobAssets} from './assets';
import {Inputs} from './inputs';
import {Masking} from './masking';
import {Outbox} from './outbox';
import {Scrolls} from './scrolls';
import {Styles} from './styles';
import {EventType, NodeType, Source} from './types';
import type {Config, Mirror, RecordedEvent, SerializedNode} from './types';
import {prepareWorld} from './world';
import type {World} from './world';

declare const __BROWX_RECORD_CONFIG__: Config;
declare function __browxRecord(payload: string): void;

const kCheckEveryMs = 250;
/** How long a navigation that has begun may take before batches are worth it again. */
const kLeavingMs = 5000;

interface Installed {
  world: World;
  stop(): void;
  functions: Record<string, (argument: any) => unknown>;
}
const scope = globalThis as unknown as {
  __browxRecorder?: Installed;
  __browx?: {elementOf(id: number): Element | undefined};
};

class Recorder {
  private readonly mirror = record.mirror as unknown as Mirror;
  private readonly outbox = new Outbox((payload) => __browxRecord(payload));
  private readonly masking: Masking;
  private readonly styles: Styles;
  private readonly inputs: Inputs;
  private readonly scrolls: Scrolls;
  private readonly assets: BlobAssets;
  private stopRrweb: (() => void) | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;
  private listeners: (() => void)[] = [];
  private root: Element | null = null;
  private readonly observer: MutationObserver;
  private failed = false;
  /** Hosts whose shadow root is in the stream. */
  private readonly hosts = new WeakSet<Node>();

  constructor(
    private readonly config: Config,
    private readonly world: World,
  ) {
    const emit = (data: unknown) => this.emit({type: EventType.IncrementalSnapshot, timestamp: 0, data});
    this.masking = new Masking(this.mirror, config, (fields) => this.outbox.tellFields(fields));
    this.styles = new Styles(this.mirror, world, emit);
    this.inputs = new Inputs(this.mirror, emit, (value, element) => this.masking.input(value, element));
    this.scrolls = new Scrolls(this.mirror, emit);
    this.assets = new BlobAssets((asset) => this.outbox.asset(asset));
    // document.open() takes the root away, and with it every listener: the new root begins a new snapshot.
    this.observer = new MutationObserver(() => this.rootChanged());
  }

  begin(): void {
    this.observer.observe(document, {childList: true});
    this.rootChanged();
  }

  end(): void {
    this.observer.disconnect();
    this.halt();
    this.outbox.flush();
  }

  /** Brings the stream up to this moment and sends it. */
  flush(): {doc: string; count: number; recording: boolean} {
    if (this.stopRrweb) {
      this.world.drain();
      this.styles.check();
      this.inputs.check();
      this.scrolls.check();
    }
    this.outbox.flush();
    return {doc: this.outbox.doc, count: this.outbox.count, recording: this.stopRrweb !== undefined};
  }

  pause(): void {
    this.halt();
    this.outbox.flush();
  }

  resume(): void {
    if (!this.stopRrweb) this.start();
  }

  nodeOf(element: Element | undefined): number {
    return element ? this.mirror.getId(element) : -1;
  }

  private rootChanged(): void {
    if (document.documentElement === this.root) return;
    this.root = document.documentElement;
    if (!this.root) return;
    this.halt();
    this.start();
  }

  private start(): void {
    this.listen();
    try {
      this.world.asInteractive(() => {
        this.stopRrweb = record({
          emit: (event) => this.onRrweb(event as unknown as RecordedEvent),
          maskInputOptions: {input: true, textarea: true} as any,
          maskInputFn: (value, element) => this.masking.input(value, element),
          inlineStylesheet: true,
          inlineImages: false,
          recordCanvas: false,
          collectFonts: false,
          blockClass: 'browx-never-blocked',
          maskTextClass: 'browx-never-masked',
          ignoreClass: 'browx-never-ignored',
          sampling: {mousemove: 50, scroll: 100, media: 800},
          errorHandler: (error) => {
            this.fail(error);
            return true;
          },
        });
      });
    } catch (error) {
      this.fail(error);
    }
    if (!this.stopRrweb) this.fail('rrweb did not start');
    this.timer = setInterval(() => {
      if (document.visibilityState === 'visible') this.inputs.check();
    }, kCheckEveryMs);
  }

  private halt(): void {
    this.stopRrweb?.();
    this.stopRrweb = undefined;
    if (this.timer !== undefined) clearInterval(this.timer);
    this.timer = undefined;
    for (const remove of this.listeners) remove();
    this.listeners = [];
  }

  private listen(): void {
    const on = (target: EventTarget, type: string, handler: (event: Event) => void) => {
      target.addEventListener(type, handler, true);
      this.listeners.push(() => target.removeEventListener(type, handler, true));
    };
    const first = (event: Event) => event.composedPath()[0];
    on(window, this.config.event, (event) => this.onMark(first(event) as Node, (event as CustomEvent).detail));
    on(window, 'input', (event) => {
      const target = first(event);
      if (target instanceof Element) this.masking.onInput(target);
    });
    on(window, 'blur', (event) => {
      const target = first(event);
      if (target instanceof Element) this.masking.onBlur(target);
    });
    on(window, 'scroll', (event) => this.scrolls.moved(first(event) as Node));
    on(window, 'load', (event) => {
      const target = first(event);
      if (target instanceof HTMLLinkElement) this.styles.loaded(target);
    });
    on(document, 'readystatechange', () => this.findDeclaredRoots());
    // Chromium detaches a document's bindings before its pagehide: the last messages that arrive are those sent between
    // beforeunload and the commit of the next document, so nothing may wait in a batch then.
    on(window, 'beforeunload', () => {
      this.flush();
      this.outbox.hurry(kLeavingMs);
    });
    on(window, 'pagehide', () => this.flush());
    on(document, 'visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.flush();
    });
  }

  /** Shadow roots written in HTML are attached by the parser, unannounced, after their hosts may have been told. */
  private findDeclaredRoots(): void {
    if (document.readyState === 'loading' || !this.stopRrweb) return;
    const missed = (root: Document | ShadowRoot): boolean => {
      for (const element of root.querySelectorAll('*')) {
        if (!element.shadowRoot) continue;
        if (!this.hosts.has(element) && this.mirror.getId(element) > 0) return true;
        if (missed(element.shadowRoot)) return true;
      }
      return false;
    };
    if (missed(document)) record.takeFullSnapshot();
  }

  private onMark(target: Node, mark: unknown): void {
    switch (mark) {
      case 'o':
        this.hosts.add(target);
        this.world.observeShadow(target as Element);
        break;
      case 'c':
        // Its node may not be in the stream yet; by the end of the task it is.
        setTimeout(() => this.outbox.gap({reason: 'closed-shadow-root', node: this.mirror.getId(target)}), 0);
        break;
      case 'r':
      case 'd':
        this.styles.rulesChanged(target, mark === 'd');
        break;
      case 'p':
        this.styles.replaceComing();
        break;
      case 'a':
        this.styles.adoptedChanged(target);
        break;
      case 'f':
        this.outbox.gap({reason: 'font-face', detail: 'a font added by script'});
        break;
    }
  }

  private onRrweb(event: RecordedEvent): void {
    const {data} = event;
    if (event.type === EventType.IncrementalSnapshot) {
      if (data.source === Source.Scroll && !this.scrolls.told(data)) return;
      // styles.ts numbers adopted sheets and sees every change of them; rrweb here sees the first state only.
      if (data.source === Source.AdoptedStyleSheet) return;
      if (data.source === Source.Input) this.inputs.told(data.id);
    }
    this.emit(event);
    if (event.type === EventType.FullSnapshot) {
      this.inputs.serialized(data.node);
      this.note(data.node);
      this.styles.snapshotTaken(data.node);
    } else if (event.type === EventType.IncrementalSnapshot && data.source === Source.Mutation) {
      this.inputs.mutated(data);
      for (const add of data.adds) this.note(add.node);
      for (const change of data.attributes) this.assets.attributes(change.attributes);
      this.styles.mutated(data);
    }
  }

  private emit(event: RecordedEvent): void {
    this.masking.event(event);
    this.outbox.add(event);
  }

  private note(node: SerializedNode): void {
    if (node.type === NodeType.Element) {
      if (node.tagName === 'canvas') this.outbox.gap({reason: 'canvas', node: node.id});
      if (/^(?:embed|object)$/.test(node.tagName ?? '') && /pdf/.test(String(node.attributes?.type)))
        this.outbox.gap({reason: 'pdf', node: node.id, detail: 'a viewer of the browser draws its pages'});
      if (node.attributes) this.assets.attributes(node.attributes);
      if (node.isShadowHost) {
        const host = this.mirror.getNode(node.id);
        if (host) this.hosts.add(host);
      }
    }
    if (node.childNodes) for (const child of node.childNodes) this.note(child);
  }

  private fail(error: unknown): void {
    if (this.failed) return;
    this.failed = true;
    this.outbox.gap({reason: 'recorder-failed', detail: String(error).slice(0, 200)});
  }
}

scope.__browxRecorder?.stop();
const world = scope.__browxRecorder?.world ?? prepareWorld();
const recorder = new Recorder(__BROWX_RECORD_CONFIG__, world);
scope.__browxRecorder = {
  world,
  stop: () => recorder.end(),
  functions: {
    recorderFlush: () => recorder.flush(),
    recorderStop: () => (recorder.end(), {}),
    recorderPause: () => (recorder.pause(), {}),
    recorderResume: () => (recorder.resume(), {}),
    recorderNode: ({id}: {id: number}) => ({node: recorder.nodeOf(scope.__browx?.elementOf(id))}),
  },
};
recorder.begin();
