// What waits to leave the page. One message of the binding is lines: the first a JSON header, then one event a line,
// "<performance.now() in ms> <event JSON>". JSON text has no raw line breaks, so the reader needs no JSON parser.

import type {RecordedEvent} from './types';

export interface Gap {
  reason: string;
  detail?: string;
  node?: number;
}

export interface Header {
  /** The document, drawn at random: a message may arrive when its frame has gone on to another one. */
  doc: string;
  /** performance.now() at sending; the smallest difference to the arrival is the document's clock offset. */
  now: number;
  /** Index of the first event of this message in the document's stream. */
  first: number;
  gaps?: Gap[];
  /** Values of sensitive fields: kept in memory to mask requests and console lines, never stored. */
  fields?: {values: string[]; typing: boolean; recent: string[]};
  asset?: {url: string; mime: string; base64: string} | {url: string; missing: string};
}

const kFlushAfterMs = 50;
const kFlushAtBytes = 48 * 1024;

/** JSON whose strings are all well-formed: JSON.stringify writes a lone surrogate as an escape that parsers refuse. */
function toJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!/\\ud[89a-f]/i.test(text)) return text;
  return JSON.stringify(value, (_, item) => (typeof item === 'string' ? item.toWellFormed() : item));
}

export class Outbox {
  private lines: string[] = [];
  private size = 0;
  private sent = 0;
  private gaps: Gap[] = [];
  private fields: Header['fields'];
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** performance.now() until which nothing waits. */
  private hurryUntil = 0;

  readonly doc = Math.random().toString(36).slice(2) + Math.random().toString(36).slice(2);

  constructor(private readonly post: (payload: string) => void) {
    // A message without events, in order with the browser's own word that the document has begun.
    this.post(toJson(this.header()));
  }

  /** Events emitted since the document's recorder began. */
  get count(): number {
    return this.sent + this.lines.length;
  }

  add(event: RecordedEvent): void {
    const now = performance.now();
    event.timestamp = Math.round(performance.timeOrigin + now);
    const line = `${now.toFixed(3)} ${toJson(event)}`;
    this.lines.push(line);
    this.size += line.length;
    if (this.size >= kFlushAtBytes || now < this.hurryUntil) this.flush();
    else this.schedule();
  }

  /** For the next `ms` every event is sent at once. */
  hurry(ms: number): void {
    this.hurryUntil = performance.now() + ms;
  }

  gap(gap: Gap): void {
    this.gaps.push(gap);
    this.schedule();
  }

  /** At once: what the page sends next may already carry the value. */
  tellFields(fields: NonNullable<Header['fields']>): void {
    this.fields = fields;
    this.flush();
  }

  asset(asset: NonNullable<Header['asset']>): void {
    this.post(toJson({...this.header(), asset}));
  }

  flush(): void {
    if (this.timer !== undefined) clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.lines.length && !this.gaps.length && !this.fields) return;
    const header = this.header();
    if (this.gaps.length) header.gaps = this.gaps;
    if (this.fields) header.fields = this.fields;
    const {lines} = this;
    this.sent += lines.length;
    this.lines = [];
    this.gaps = [];
    this.fields = undefined;
    this.size = 0;
    this.post([toJson(header), ...lines].join('\n'));
  }

  private header(): Header {
    return {doc: this.doc, now: performance.now(), first: this.sent};
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.flush();
    }, kFlushAfterMs);
  }
}
