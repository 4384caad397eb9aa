// blob: URLs exist only in this document: their bytes are read here, once, while it stands.

import type {Header} from './outbox';
import type {Attributes} from './types';

const kMaxBytes = 2 << 20;
const kUrlAttributes = ['src', 'href', 'poster'];

export class BlobAssets {
  private readonly asked = new Set<string>();

  constructor(private readonly send: (asset: NonNullable<Header['asset']>) => void) {}

  attributes(attributes: Attributes): void {
    for (const name of kUrlAttributes) {
      const url = attributes[name];
      if (typeof url !== 'string' || !url.startsWith('blob:') || this.asked.has(url)) continue;
      this.asked.add(url);
      void this.fetch(url);
    }
  }

  private async fetch(url: string): Promise<void> {
    try {
      const blob = await (await fetch(url)).blob();
      if (blob.size > kMaxBytes) {
        this.send({url, missing: `larger than ${kMaxBytes} bytes`});
        return;
      }
      const bytes = new Uint8Array(await blob.arrayBuffer());
      let binary = '';
      for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
      this.send({url, mime: blob.type, base64: btoa(binary)});
    } catch (error) {
      this.send({url, missing: String(error).slice(0, 200)});
    }
  }
}
