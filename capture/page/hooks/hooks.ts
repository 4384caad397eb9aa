// Runs in the page's own world before its first script. An isolated world shares the document but not the page's
// JavaScript objects: it cannot know when the page attaches a shadow root or writes to a style sheet's object model.
// This script announces that something changed, never what: a composed, non-bubbling event under a name that only the
// recorder knows. Everything it needs later is copied now, so a page that replaces the language afterwards neither
// breaks nor notices it. Nothing here may use iteration protocols, inherited options or names looked up at call time.

declare const __BROWX_HOOKS_EVENT__: string;

/** What an announcement means. One letter, because the recorder compares it for every write. */
type Mark =
  | 'o' // an open shadow root was attached to the target
  | 'c' // a closed one was
  | 'r' // rules came or went in a sheet that the target (or no node: a constructed one) owns
  | 'd' // something inside a rule changed
  | 'p' // a constructed sheet will be replaced later
  | 'a' // the target's adoptedStyleSheets were read or written
  | 'f'; // a font was added by script

(() => {
  const name = __BROWX_HOOKS_EVENT__;
  const apply = Reflect.apply;
  const define = Object.defineProperty;
  const describe = Object.getOwnPropertyDescriptor;
  const NativeProxy = Proxy;
  const NativeEvent = CustomEvent;
  const dispatch = EventTarget.prototype.dispatchEvent;
  const soon = queueMicrotask;
  const page = window;
  const pageDocument = document;

  const getter = (owner: any, key: string): any => describe(owner, key)?.get;
  const ownerNode = getter(StyleSheet.prototype, 'ownerNode');
  const parentSheet = getter(StyleSheet.prototype, 'parentStyleSheet');
  const sheetOfRule = getter(CSSRule.prototype, 'parentStyleSheet');
  const ruleOfDeclaration = getter(CSSStyleDeclaration.prototype, 'parentRule');
  const hostOf = getter(ShadowRoot.prototype, 'host');
  const shadowOf = getter(Element.prototype, 'shadowRoot');
  const ask = (read: any, object: any): any => apply(read, object, []);

  // A loop that inserts a thousand rules into one sheet is announced once: until the end of this task, repeating the
  // last announcement says nothing new. The recorder's own microtask was queued before the one that forgets it.
  let lastTarget: unknown = null;
  let lastMark: Mark | '' = '';
  const forget = () => {
    lastTarget = null;
    lastMark = '';
  };

  function announce(target: any, mark: Mark): void {
    if (target === lastTarget && mark === lastMark) return;
    try {
      apply(dispatch, target, [new NativeEvent(name, {__proto__: null, composed: true, detail: mark} as any)]);
      if (lastTarget === null) apply(soon, page, [forget]);
      lastTarget = target;
      lastMark = mark;
    } catch {
      // A realm that is going away: nothing left to record.
    }
  }

  function sheetChanged(sheet: any, mark: Mark): void {
    try {
      for (let up = sheet; up; up = ask(parentSheet, sheet)) sheet = up;
      announce(ask(ownerNode, sheet) ?? pageDocument, mark);
    } catch {
      // Not a style sheet of this realm.
    }
  }
  const ruleChanged = (rule: any, mark: Mark) => {
    try {
      const sheet = ask(sheetOfRule, rule);
      if (sheet) sheetChanged(sheet, mark);
    } catch {}
  };
  const declarationChanged = (declaration: any) => {
    try {
      const rule = ask(ruleOfDeclaration, declaration);
      if (rule) ruleChanged(rule, 'd');
    } catch {}
  };

  /** The same function, which tells `after` its receiver and answer once it has done its work. */
  const wrapped = (native: any, after: (receiver: any, answer: any) => void): any =>
    new NativeProxy(native, {
      __proto__: null,
      apply(target: any, receiver: any, given: any) {
        const answer = apply(target, receiver, given);
        after(receiver, answer);
        return answer;
      },
    } as any);

  function hookMethod(owner: any, key: string, after: (receiver: any, answer: any) => void): void {
    const descriptor = owner && describe(owner.prototype, key);
    if (!descriptor || typeof descriptor.value !== 'function') return;
    descriptor.value = wrapped(descriptor.value, after);
    define(owner.prototype, key, descriptor);
  }
  function hookAccessor(owner: any, key: string, on: 'get' | 'set' | 'both', after: (receiver: any) => void): void {
    const descriptor = owner && describe(owner.prototype, key);
    if (!descriptor) return;
    if (on !== 'set' && descriptor.get) descriptor.get = wrapped(descriptor.get, after);
    if (on !== 'get' && descriptor.set) descriptor.set = wrapped(descriptor.set, after);
    define(owner.prototype, key, descriptor);
  }

  const realm = window as any;
  hookMethod(Element, 'attachShadow', (host) => announce(host, ask(shadowOf, host) ? 'o' : 'c'));

  const rules = (sheet: any) => sheetChanged(sheet, 'r');
  hookMethod(realm.CSSStyleSheet, 'insertRule', rules);
  hookMethod(realm.CSSStyleSheet, 'deleteRule', rules);
  hookMethod(realm.CSSStyleSheet, 'addRule', rules);
  hookMethod(realm.CSSStyleSheet, 'removeRule', rules);
  hookMethod(realm.CSSStyleSheet, 'replaceSync', rules);
  hookMethod(realm.CSSStyleSheet, 'replace', (sheet) => sheetChanged(sheet, 'p'));
  hookAccessor(realm.StyleSheet, 'disabled', 'set', rules);
  hookAccessor(realm.HTMLStyleElement, 'disabled', 'set', (element) => announce(element, 'r'));

  const inside = (rule: any) => ruleChanged(rule, 'd');
  hookMethod(realm.CSSGroupingRule, 'insertRule', inside);
  hookMethod(realm.CSSGroupingRule, 'deleteRule', inside);
  hookMethod(realm.CSSStyleRule, 'insertRule', inside);
  hookMethod(realm.CSSStyleRule, 'deleteRule', inside);
  hookMethod(realm.CSSKeyframesRule, 'appendRule', inside);
  hookMethod(realm.CSSKeyframesRule, 'deleteRule', inside);
  hookAccessor(realm.CSSKeyframesRule, 'name', 'set', inside);
  hookAccessor(realm.CSSKeyframeRule, 'keyText', 'set', inside);
  hookAccessor(realm.CSSStyleRule, 'selectorText', 'set', inside);
  hookAccessor(realm.CSSPageRule, 'selectorText', 'set', inside);
  // `rule.style.color = …` is no method call: whoever has read `style` may write next.
  hookAccessor(realm.CSSStyleRule, 'style', 'both', inside);
  hookAccessor(realm.CSSStyleRule, 'styleMap', 'get', inside);
  hookAccessor(realm.CSSKeyframeRule, 'style', 'both', inside);
  hookAccessor(realm.CSSFontFaceRule, 'style', 'both', inside);
  hookAccessor(realm.CSSPageRule, 'style', 'both', inside);
  hookAccessor(realm.CSSNestedDeclarations, 'style', 'both', inside);
  hookAccessor(realm.CSSMediaRule, 'media', 'both', inside);
  hookMethod(realm.CSSStyleDeclaration, 'setProperty', declarationChanged);
  hookMethod(realm.CSSStyleDeclaration, 'removeProperty', declarationChanged);
  hookAccessor(realm.CSSStyleDeclaration, 'cssText', 'set', declarationChanged);

  // Reading the array is enough to change it: adoptedStyleSheets.push(…).
  hookAccessor(realm.Document, 'adoptedStyleSheets', 'both', (root) => announce(root, 'a'));
  hookAccessor(realm.ShadowRoot, 'adoptedStyleSheets', 'both', (root) => {
    try {
      announce(ask(hostOf, root), 'a');
    } catch {}
  });
  hookMethod(realm.FontFaceSet, 'add', () => announce(pageDocument, 'f'));
})();
