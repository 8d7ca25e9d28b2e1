import { decodeExchange, type Exchange } from '../answer/exchange';
import type { StoredQuestion } from '../replay/answer-store';
import type { ReplayKey } from './replay-key';

/** Where things stand in the store under one key: in one slot of a cluster for each account. */
export interface Place {
  readonly key: ReplayKey;
  readonly question: string;
  readonly pause: string;
  /** Null where the operation has no budget. */
  readonly operation: string | null;
}

/** The release of the layout: one that writes otherwise must not be read by this one. */
const prefix = 'padron:1';
export const channelPrefix = `${prefix}:wake:`;

/** Names that tell nothing: of the service, the account and its mode, and of what is asked. */
export class Places {
  private readonly serviceUrl: string;

  /** Several keys, while one replaces another: everything then stands under each of them. */
  constructor(
    private readonly keys: readonly ReplayKey[],
    serviceUrl: string,
  ) {
    this.serviceUrl = new URL(serviceUrl).href.replace(/\/$/, '');
  }

  /** In the same order in every process, so that two of them never wait for each other. */
  of(
    { caller, cacheKey, operation }: Pick<StoredQuestion, 'caller' | 'cacheKey' | 'operation'>,
    address: string,
  ): readonly Place[] {
    const mode = caller.sandbox ? 'sandbox' : 'live';
    return this.keys.map((key) => {
      const account = `${prefix}:{${key.hash('account', this.serviceUrl, caller.bearer ?? '', mode)}}`;
      return {
        key,
        question: `${account}:${key.hash('question', address, cacheKey)}`,
        pause: `${account}:pause`,
        operation: operation === null ? null : `${account}:operation:${key.hash('operation', operation.id)}`,
      };
    });
  }

  /** Where the instances of this service say that they are alive. */
  instances(): readonly string[] {
    return this.keys.map((key) => `${prefix}:{instances}:${key.hash('service', this.serviceUrl)}`);
  }

  /** What an instance tries its rights on. */
  check(instance: string): string {
    return `${prefix}:{check}:${instance}`;
  }

  /** The same where another name stands in a cluster. */
  checkBeside(name: string, instance: string): string {
    return `${name.slice(0, name.indexOf('}') + 1)}:check:${instance}`;
  }
}

/** What was sealed for a place; null where it was not, or is none that can be read. */
export function openExchange({ key, question }: Place, sealed: Buffer): Exchange | null {
  const plain = key.open(sealed, question);
  return plain === null ? null : decodeExchange(plain);
}
