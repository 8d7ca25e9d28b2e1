import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../registry/caller';
import type { KeyRing, KeyVersion } from '../store/key-ring';

const nameLength = 22;

/** Names accounts in what is kept: the same in every process, and nothing of the token is in it. */
export class AccountNames {
  /** By the account's name within this process, which is at hand. */
  private readonly names = new LRUCache<string, readonly [string, ...string[]]>({ max: 1_000 });

  constructor(
    private readonly keys: KeyRing,
    private readonly serviceUrl: string,
  ) {}

  /** What is written. */
  nameOf(caller: Caller): string {
    return this.namesOf(caller)[0];
  }

  /** What is looked for: by every key, since each was the newest in its time. */
  namesOf(caller: Caller): readonly [string, ...string[]] {
    const key = caller.sandbox ? `${caller.account} sandbox` : caller.account;
    const cached = this.names.get(key);
    if (cached !== undefined) return cached;
    const [newest, ...older] = this.keys.versions.map((version) => this.nameBy(version, caller));
    const names: readonly [string, ...string[]] = [newest ?? '', ...older];
    this.names.set(key, names);
    return names;
  }

  /** The operator's own token may be renewed, and it is the same account. */
  private nameBy(version: KeyVersion, { bearer, sandbox, usesServerToken }: Caller): string {
    const holder = usesServerToken ? 'REGISTRY_TOKEN' : `token ${bearer ?? ''}`;
    const text = [this.serviceUrl, sandbox ? 'sandbox' : 'live', holder].join('\n');
    return createHmac('sha256', version.account).update(text).digest('base64url').slice(0, nameLength);
  }
}
