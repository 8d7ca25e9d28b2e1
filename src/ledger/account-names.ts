import { createHmac } from 'node:crypto';
import type { Caller } from '../registry/caller';
import type { KeyRing, KeyVersion } from '../store/key-ring';

const nameLength = 22;

/** Names accounts in stored data. The name is the same in every process, and reveals nothing of the token. */
export class AccountNames {
  constructor(
    private readonly keys: KeyRing,
    private readonly serviceUrl: string,
  ) {}

  /** Returns the name for new entries. */
  nameOf(caller: Caller): string {
    return this.namesOf(caller)[0];
  }

  /** Returns the values of all keys, because each key was the newest one at some time. */
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
