// Makes this isolated world a place in which stock rrweb sees what we want it to see. Nothing here is visible to the
// page: prototypes of an isolated world are its own.

/** Parts of the world that rrweb must not use, taken away from it and kept here. */
export interface World {
  adopted(root: Document | ShadowRoot): readonly CSSStyleSheet[];
  /** Hands a shadow root that was attached late to rrweb's own observer. */
  observeShadow(host: Element): void;
  /** Runs `start` while document.readyState answers `interactive`: rrweb then begins at once, whatever is parsed. */
  asInteractive(start: () => void): void;
  /** Delivers what rrweb's mutation observers would be told in the next microtask: a page that is left has none. */
  drain(): void;
}

export function prepareWorld(): World {
  const adoptedOf = (owner: typeof Document | typeof ShadowRoot) =>
    Object.getOwnPropertyDescriptor(owner.prototype, 'adoptedStyleSheets')!.get!;
  const ofDocument = adoptedOf(Document);
  const ofShadow = adoptedOf(ShadowRoot);

  // Every frame records itself: to rrweb an iframe is an opaque box.
  Object.defineProperty(HTMLIFrameElement.prototype, 'contentDocument', {configurable: true, get: () => null});

  // rrweb wraps attachShadow to hear of new roots; here nobody calls it but observeShadow.
  Element.prototype.attachShadow = function (this: Element) {
    return this.shadowRoot!;
  };

  // rrweb marks former password fields with an attribute of its own, which the page would see.
  const setAttribute = Element.prototype.setAttribute;
  Element.prototype.setAttribute = function (this: Element, name: string, value: string) {
    if (!name.startsWith('data-rr-')) setAttribute.call(this, name, value);
  };

  // rrweb would fetch fresh built-ins from an iframe that it appends to the page for a moment; these are fresh.
  const createElement = Document.prototype.createElement;
  Document.prototype.createElement = function (this: Document, name: string, options?: ElementCreationOptions) {
    if (name === 'iframe') throw new Error('a recorder adds nothing to the page');
    return createElement.call(this, name, options);
  } as typeof createElement;

  // What rrweb says of itself is not the page's console.
  console.warn = console.debug = console.error = () => {};

  // rrweb's observers, to be drained. It takes the constructor from the prototype and wants it to look native.
  const observers = new Set<[WeakRef<MutationObserver>, MutationCallback]>();
  MutationObserver.prototype.constructor = new Proxy(MutationObserver, {
    construct(target, [callback]: [MutationCallback]) {
      const observer = new target(callback);
      observers.add([new WeakRef(observer), callback]);
      return observer;
    },
  });

  return {
    drain: () => {
      for (const one of observers) {
        const observer = one[0].deref();
        if (!observer) {
          observers.delete(one);
          continue;
        }
        const records = observer.takeRecords();
        if (records.length) one[1].call(observer, records, observer);
      }
    },
    adopted: (root) => (root instanceof Document ? ofDocument : ofShadow).call(root),
    observeShadow: (host) => {
      Element.prototype.attachShadow.call(host, {mode: 'open'});
    },
    asInteractive: (start) => {
      Object.defineProperty(document, 'readyState', {configurable: true, get: () => 'interactive'});
      try {
        start();
      } finally {
        delete (document as any).readyState;
      }
    },
  };
}
