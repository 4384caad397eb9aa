// Brings a document of the stage into the state that its HTML cannot say. Runs in an isolated world; the page's own
// scripts never run.
(async ({mark, marks, scroll, time}) => {
  const roots = [document];
  for (let i = 0; i < roots.length; ++i) {
    for (const element of roots[i].querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
  }
  for (const root of roots) {
    for (const style of root.querySelectorAll('style[data-browx-adopted]')) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(style.textContent);
      root.adoptedStyleSheets.push(sheet);
      style.remove();
    }
  }
  const marked = [];
  for (const root of roots) {
    for (const element of root.querySelectorAll(`[${mark}]`)) {
      const state = marks[element.getAttribute(mark)];
      element.removeAttribute(mark);
      if (state) marked.push([element, state]);
    }
  }
  for (const [element, {modal}] of marked) {
    if (!modal || typeof element.showModal !== 'function') continue;
    element.close();
    element.showModal();
  }
  await document.fonts.ready;
  // A button that was clicked with the mouse shows no ring; a field always does.
  const field = 'input:not([type=button],[type=submit],[type=reset],[type=checkbox],[type=radio],[type=image]),textarea,[contenteditable]';
  for (const [element, {focused}] of marked) if (focused && element.matches(field)) element.focus({preventScroll: true});
  for (const [element, {x, y}] of marked) {
    if (x !== undefined) element.scrollTo({left: x, top: y, behavior: 'instant'});
  }
  scrollTo({left: scroll.x, top: scroll.y, behavior: 'instant'});
  for (const animation of document.getAnimations()) {
    const end = animation.effect?.getComputedTiming().endTime;
    try {
      if (Number.isFinite(end)) animation.finish();
      else {
        animation.pause();
        animation.currentTime = time;
      }
    } catch {
      // One that cannot be finished (a negative rate) stays where it is.
    }
  }
  for (const root of roots) {
    for (const svg of root.querySelectorAll('svg')) {
      svg.pauseAnimations?.();
      svg.setCurrentTime?.(time / 1000);
    }
  }
  const pictures = roots.flatMap((root) => [...root.querySelectorAll('img')]);
  await Promise.all(pictures.map((picture) => picture.decode().catch(() => {})));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return true;
})
