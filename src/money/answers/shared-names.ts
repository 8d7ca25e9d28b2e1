import { createHmac, randomBytes } from 'node:crypto';
import type { Caller } from '../../registry/caller';
import type { KeyRing, KeyVersion } from '../../store/key-ring';
import { ivBytes, seal, tagBytes, unseal } from '../../store/sealed-box';
import type { AccountNames } from '../ledger/entries/account-names';
import { type WindowOwner, windowOf } from './caller-window';
import { type KeyedQuestion, spellingOf } from './shared-answer';

/** Characters of a name: 192 bits, so that two questions never have the same name. */
const nameLength = 32;
const keyBytes = 32;
const idBytes = 8;
/** Bytes of the ID of a key and of an answer's own key, encrypted under it. */
const wrappedBytes = idBytes + ivBytes + tagBytes + keyBytes;

export interface KeyedRequest {
  readonly caller: Caller;
  /** Client or person that the caller's JWT names. Null without JWTs: then the account has the keys. */
  readonly holder: string | null;
  /** Owner of batches whose quota the result counts in. */
  readonly owner: string;
  readonly key: string;
  /** Everything that decides what the request does. It may contain secrets, so only its keyed digest leaves the request. */
  readonly input: readonly (string | Buffer)[];
  /** Whether the request only erases people. Its result names no person, so its own erasure does not delete it. */
  readonly isErasure: boolean;
}

export interface RequestName {
  readonly name: string;
  readonly digest: string;
}

/**
 * Names of questions in the store that processes share, and the encryption of their answers. A name reveals neither the question nor the
 * account. There is one under each key, so that processes share their answers while the operator changes DATA_KEYS.
 */
export class SharedNames {
  constructor(
    private readonly keys: KeyRing,
    private readonly accounts: AccountNames,
    private readonly address: (endpoint: KeyedQuestion['endpoint']) => string,
  ) {}

  ofQuestion({ caller, endpoint, cacheKeys }: KeyedQuestion): readonly string[] {
    const names = cacheKeys.map((key = '') => this.namesOf(caller, 'question', this.address(endpoint), key));
    return names.flat().toSorted();
  }

  ofEarlyAnswer(question: KeyedQuestion, owner: WindowOwner): readonly string[] {
    const { caller, endpoint } = question;
    return this.namesOf(caller, 'early', windowOf(owner), this.address(endpoint), spellingOf(question));
  }

  /** Returns the name of all spellings under the newest key first: the answer is kept under that one. */
  ofReusable(
    { endpoint, cacheKeys }: Pick<KeyedQuestion, 'endpoint' | 'cacheKeys'>,
    accounts: readonly string[],
    purpose: string | null,
  ): readonly string[] {
    const address = this.address(endpoint);
    return cacheKeys.flatMap((key = '') => this.byVersion(accounts, 'reuse', purpose ?? '', address, key));
  }

  /** Returns the names of a request with an idempotency key, each with the digest of the request's input under the same key. */
  ofRequest({ caller, holder, key, input }: KeyedRequest): readonly RequestName[] {
    const accounts = this.accounts.namesOf(caller);
    return this.keys.versions.map((version, index) => ({
      name: hash(version, accounts[index] ?? '', 'request', holder ?? '', key),
      digest: digest(version, input),
    }));
  }

  accountOf(caller: Caller): string {
    return this.accounts.nameOf(caller);
  }

  ofOperation(caller: Caller, id: string): readonly string[] {
    return this.namesOf(caller, 'operation', id);
  }

  ofLastingOperation(caller: Caller, holder: string | null, id: string): readonly string[] {
    return this.namesOf(caller, 'lasting operation', holder ?? '', id);
  }

  /** Encrypts the key of some content, so that each key of DATA_KEYS decrypts it. It cannot be decrypted for another `context`. */
  wrap(context: string, key: Buffer): Buffer {
    const { versions } = this.keys;
    const wrapped = versions.flatMap(({ id, answers }) => [Buffer.from(id), seal(answers, context, key)]);
    return Buffer.concat([Buffer.of(versions.length), ...wrapped]);
  }

  unwrap(context: string, wrapped: Buffer): Buffer | null {
    for (let start = 1; start < lengthOf(wrapped); start += wrappedBytes) {
      const version = this.keys.find(wrapped.toString('latin1', start, start + idBytes));
      const key = version && unseal(version.answers, context, wrapped.subarray(start + idBytes, start + wrappedBytes));
      if (key !== null) return key;
    }
    return null;
  }

  /** Encrypts content under a separate key, which is in front of it. */
  seal(context: string, content: Buffer): Buffer {
    const key = randomBytes(keyBytes);
    return Buffer.concat([this.wrap(context, key), seal(key, context, content)]);
  }

  open(context: string, sealed: Buffer): Buffer | null {
    const key = this.unwrap(context, sealed);
    return key && unseal(key, context, sealed.subarray(lengthOf(sealed)));
  }

  /** Returns the names in the same order in every process, so that two statements never wait for each other. */
  private namesOf(caller: Caller, ...parts: readonly string[]): readonly string[] {
    return this.byVersion(this.accounts.namesOf(caller), ...parts).toSorted();
  }

  private byVersion(accounts: readonly string[], ...parts: readonly string[]): readonly string[] {
    return this.keys.versions.map((version, index) => hash(version, accounts[index] ?? '', ...parts));
  }
}

/** Length of a wrapped key, which begins with the number of its versions. */
const lengthOf = (wrapped: Buffer): number => 1 + (wrapped[0] ?? 0) * wrappedBytes;

function hash({ questions }: KeyVersion, ...parts: readonly string[]): string {
  return createHmac('sha256', questions).update(parts.join('\n')).digest('base64url').slice(0, nameLength);
}

/** Returns a digest of all parts. Each part has its length in front, so that no other parts have the same digest. */
function digest({ questions }: KeyVersion, parts: KeyedRequest['input']): string {
  const hmac = createHmac('sha256', questions);
  for (const part of parts) hmac.update(`${Buffer.byteLength(part)}\n`).update(part);
  return hmac.digest('base64url');
}
