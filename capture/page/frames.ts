// Waiting for frames and scrolling, without trusting that animation frames come: hidden tabs have none.

import {freshen} from './caches';

/** After the next animation frame, or a frame's time where none comes. Caches are fresh afterwards. */
export function nextFrame(): Promise<void> {
  return new Promise(resolve => {
    let done = false;
    const finish = () => {
      if (done) return;
      done = true;
      freshen();
      resolve();
    };
    if (document.visibilityState === 'visible') {
      requestAnimationFrame(finish);
      // Frames out of view and throttled windows get no animation frame.
      setTimeout(finish, 60);
    } else {
      afterMessages(17, finish);
    }
  });
}

/** After the browser has put a frame on the screen that was begun after this call; never in a hidden tab. */
export function drawn(): Promise<Record<string, never>> {
  // The frame that is under way, the one after it, and the beginning of the next, when that one has gone out.
  return new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => resolve({})))));
}

/** Timers of hidden tabs fire once a second, and nested ones wait 4 ms; messages do not. */
function afterMessages(milliseconds: number, then: () => void): void {
  const end = performance.now() + milliseconds;
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    if (performance.now() >= end) {
      channel.port1.close();
      then();
    } else {
      channel.port2.postMessage(0);
    }
  };
  channel.port2.postMessage(0);
}

/** After what is queued now. */
export function macrotask(): Promise<void> {
  return new Promise(resolve => afterMessages(0, () => {
    freshen();
    resolve();
  }));
}

/** A point in time `milliseconds` from now, for loops that wait. */
export function deadlineIn(milliseconds: number): () => boolean {
  const end = performance.now() + Math.max(0, milliseconds);
  return () => performance.now() >= end;
}

/** Where an iframe's content box lies in this viewport, and at which scale. */
export function transformOf(element: Element): {x: number; y: number; scaleX: number; scaleY: number} {
  const box = element.getBoundingClientRect();
  const frame = element as HTMLElement;
  const width = frame.offsetWidth || box.width || 1, height = frame.offsetHeight || box.height || 1;
  const scaleX = box.width / width || 1, scaleY = box.height / height || 1;
  const style = getComputedStyle(element);
  const left = frame.clientLeft + (parseFloat(style.paddingLeft) || 0);
  const top = frame.clientTop + (parseFloat(style.paddingTop) || 0);
  return {x: box.x + left * scaleX, y: box.y + top * scaleY, scaleX, scaleY};
}
