import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { KeyRing } from '../store/key-ring';
import { seal, unseal } from '../store/sealed-box';

/** Characters of a question's name: enough that two of a batch never share one. */
const nameLength = 32;

/**
 * The key of one batch: it seals what names a person, and names questions, the same in every process. Who destroys it has
 * destroyed the dataset and its results, wherever copies of them lie.
 */
export class BatchKey {
  private readonly sealing: Buffer;
  private readonly naming: Buffer;

  constructor(key: Buffer) {
    this.sealing = derive(key, 'sealing');
    this.naming = derive(key, 'naming');
  }

  /** `place` says what is sealed, so that nothing can be put in the place of something else. */
  seal(place: string, content: string | Buffer): Buffer {
    return seal(this.sealing, place, typeof content === 'string' ? Buffer.from(content) : content);
  }

  open(place: string, sealed: Buffer): Buffer {
    return openOrThrow(this.sealing, place, sealed);
  }

  /** A name that tells nothing of what it stands for. */
  name(text: string): string {
    return createHmac('sha256', this.naming).update(text).digest('base64url').slice(0, nameLength);
  }
}

/** A new key, and how it is kept: sealed by the newest of the operator's keys. */
export function createBatchKey(ring: KeyRing, batch: string): { readonly key: BatchKey; readonly wrapped: Buffer } {
  const bytes = randomBytes(32);
  const { id, wrapping } = ring.newest;
  const version = Buffer.from(id);
  const wrapped = Buffer.concat([Buffer.of(version.length), version, seal(wrapping, batch, bytes)]);
  return { key: new BatchKey(bytes), wrapped };
}

/** Null where the operator's keys no longer hold the one that sealed it. */
export function openBatchKey(ring: KeyRing, batch: string, wrapped: Buffer): BatchKey | null {
  const length = wrapped[0] ?? 0;
  const version = ring.find(wrapped.subarray(1, 1 + length).toString());
  if (version === null) return null;
  return new BatchKey(openOrThrow(version.wrapping, batch, wrapped.subarray(1 + length)));
}

function derive(key: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `padron batch ${use}`, 32));
}

function openOrThrow(key: Buffer, place: string, sealed: Buffer): Buffer {
  const content = unseal(key, place, sealed);
  if (content === null) throw new Error('What is sealed does not open with its key.');
  return content;
}
