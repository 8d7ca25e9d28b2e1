import { createHmac } from 'node:crypto';
import type { Caller } from '../registry/caller';
import type { KeyRing, KeyVersion } from '../store/key-ring';

const nameLength = 22;

/** Names accounts in what is kept: the same in every process, and nothing of the token is in it. */
export class AccountNames {
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
    const [newest = '', ...older] = this.keys.versions.map((version) => this.nameBy(version, caller));
    return [newest, ...older];
  }

  /** The operator's own token may be renewed, and it is the same account. */
  private nameBy(version: KeyVersion, { bearer, sandbox, usesServerToken }: Caller): string {
    const holder = usesServerToken ? 'REGISTRY_TOKEN' : `token ${bearer ?? ''}`;
    const text = [this.serviceUrl, sandbox ? 'sandbox' : 'live', holder].join('\n');
    return createHmac('sha256', version.account).update(text).digest('base64url').slice(0, nameLength);
  }
}
