import { createHmac, hash } from 'node:crypto';

const blockBytes = 64;
const maxTextBytes = 512;
const digestBytes = 32;

interface Pads {
  /** The key's inner pad, and room for the text. */
  readonly inner: Buffer;
  /** Its outer pad, and room for the inner digest. */
  readonly outer: Buffer;
}

const padsByKey = new WeakMap<Buffer, Pads>();

/** HMAC-SHA256 in hexadecimal digits. By two hashes in buffers that are kept: Node's own makes an object a call, which takes thrice as long. */
export function hmac(key: Buffer, text: string): string {
  // A character takes three bytes at most.
  if (text.length * 3 > maxTextBytes) return createHmac('sha256', key).update(text).digest('hex');
  const { inner, outer } = padsOf(key);
  const length = inner.write(text, blockBytes, 'utf8');
  // As text: a buffer a call, with memory outside of the heap, would be dear to collect.
  outer.write(hash('sha256', inner.subarray(0, blockBytes + length), 'binary'), blockBytes, 'latin1');
  return hash('sha256', outer, 'hex');
}

/** For keys of up to a block, as those of the ring are. */
function padsOf(key: Buffer): Pads {
  const existing = padsByKey.get(key);
  if (existing !== undefined) return existing;
  const inner = Buffer.alloc(blockBytes + maxTextBytes, 0);
  const outer = Buffer.alloc(blockBytes + digestBytes, 0);
  for (let index = 0; index < blockBytes; index += 1) {
    inner[index] = (key[index] ?? 0) ^ 0x36;
    outer[index] = (key[index] ?? 0) ^ 0x5c;
  }
  const pads = { inner, outer };
  padsByKey.set(key, pads);
  return pads;
}
