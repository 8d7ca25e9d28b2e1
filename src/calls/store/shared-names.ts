import { createHmac } from 'node:crypto';
import type { AccountNames } from '../../ledger/account-names';
import type { Caller } from '../../registry/caller';
import type { KeyRing, KeyVersion } from '../../store/key-ring';
import { seal, unseal } from '../../store/sealed-box';
import type { KeyedQuestion } from '../answers/shared-answer';

/** Characters of a name: 192 bits, so that two questions never have the same name. */
const nameLength = 32;

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

  ofQuestion({ caller, endpoint, cacheKey }: KeyedQuestion): readonly string[] {
    return this.namesOf(caller, 'question', this.address(endpoint), cacheKey);
  }

  /** Returns the names of a question in the window of a client that got an early response. */
  ofEarlyAnswer({ caller, endpoint, cacheKey }: KeyedQuestion, client: string | null): readonly string[] {
    return this.namesOf(caller, 'early', client ?? '', this.address(endpoint), cacheKey);
  }

  ofOperation(caller: Caller, id: string): readonly string[] {
    return this.namesOf(caller, 'operation', id);
  }

  /** Encrypts what is stored for a call. It cannot be decrypted for another call. */
  seal(call: string, content: Buffer): Buffer {
    const { id, answers } = this.keys.newest;
    return Buffer.concat([Buffer.of(id.length), Buffer.from(id), seal(answers, call, content)]);
  }

  open(call: string, sealed: Buffer): Buffer | null {
    const length = sealed[0] ?? 0;
    const version = this.keys.find(sealed.subarray(1, 1 + length).toString());
    return version === null ? null : unseal(version.answers, call, sealed.subarray(1 + length));
  }

  /** Returns the names in the same order in every process, so that two statements never wait for each other. */
  private namesOf(caller: Caller, ...parts: readonly string[]): readonly string[] {
    const accounts = this.accounts.namesOf(caller);
    return this.keys.versions.map((version, index) => hash(version, accounts[index] ?? '', ...parts)).sort();
  }
}

function hash({ questions }: KeyVersion, ...parts: readonly string[]): string {
  return createHmac('sha256', questions).update(parts.join('\n')).digest('base64url').slice(0, nameLength);
}
