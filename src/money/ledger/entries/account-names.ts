import { createHmac } from 'node:crypto';
import type { Caller } from '../../../registry/caller';
import type { KeyRing, KeyVersion } from '../../../store/key-ring';

const nameLength = 22;

/** Names of accounts in stored data. The name is the same in every process, and does not reveal the token. */
export class AccountNames {
  constructor(
    private readonly keys: KeyRing,
    private readonly serviceUrl: string,
  ) {}

  nameOf(caller: Caller): string {
    return this.namesOf(caller)[0];
  }

  /** Returns the account's names under all keys, because stored data may have been written with any of them. */
  namesOf(caller: Caller): readonly [string, ...string[]] {
    const [newest = '', ...older] = this.keys.versions.map((version) => this.nameUnder(version, caller));
    return [newest, ...older];
  }

  /** Returns the account's name under one key. If the operator replaces `REGISTRY_TOKEN`, its account keeps its name. */
  private nameUnder(version: KeyVersion, { bearer, sandbox, usesServerToken }: Caller): string {
    const holder = usesServerToken ? 'REGISTRY_TOKEN' : `token ${bearer ?? ''}`;
    const text = [this.serviceUrl, sandbox ? 'sandbox' : 'live', holder].join('\n');
    return createHmac('sha256', version.account).update(text).digest('base64url').slice(0, nameLength);
  }
}
