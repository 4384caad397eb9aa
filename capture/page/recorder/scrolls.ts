// Scroll positions at a flush: rrweb tells them up to 100 ms late.

import {Source} from './types';
import type {Mirror} from './types';

interface Position {
  x: number;
  y: number;
}

export class Scrolls {
  private readonly moving = new Set<Node>();
  private readonly last = new Map<number, Position>();

  constructor(
    private readonly mirror: Mirror,
    private readonly emit: (data: {source: Source.Scroll; id: number} & Position) => void,
  ) {}

  moved(target: Node): void {
    this.moving.add(target);
  }

  /** rrweb tells a position; false when the stream has it already. */
  told(data: {id: number} & Position): boolean {
    const before = this.last.get(data.id);
    if (before?.x === data.x && before.y === data.y) return false;
    this.last.set(data.id, {x: data.x, y: data.y});
    return true;
  }

  check(): void {
    for (const target of this.moving) {
      const id = this.mirror.getId(target);
      if (id < 0) continue;
      const position =
        target === document
          ? {x: window.scrollX, y: window.scrollY}
          : {x: (target as Element).scrollLeft, y: (target as Element).scrollTop};
      if (this.told({id, ...position})) this.emit({source: Source.Scroll, id, ...position});
    }
    this.moving.clear();
  }
}
