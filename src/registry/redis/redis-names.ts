import type { KeyedQuestion } from '../../calls/answers/answer-store';
import { decodeExchange, type Exchange } from '../answer/exchange';
import type { ReplayKey } from './replay-key';

/** Names of a question in the store under one key of REPLAY_KEY. All names of an account are in one slot of a cluster. */
export interface RedisNames {
  readonly key: ReplayKey;
  readonly question: string;
  readonly pause: string;
  readonly operation: string | null;
}

/** Version of the layout. Instances with another version do not read these entries. */
const prefix = 'padron:1';
export const channelPrefix = `${prefix}:wake:`;

export class RedisNaming {
  private readonly serviceUrl: string;

  /** There are several keys during a key rotation. Every entry is then stored under each of them. */
  constructor(
    private readonly keys: readonly ReplayKey[],
    serviceUrl: string,
  ) {
    this.serviceUrl = new URL(serviceUrl).href.replace(/\/$/, '');
  }

  /**
   * Returns the names of a question under each key. Their order is the same in every process, so that two processes never wait
   * for each other.
   */
  namesOf(
    { caller, cacheKey, operation }: Pick<KeyedQuestion, 'caller' | 'cacheKey' | 'operation'>,
    address: string,
  ): readonly RedisNames[] {
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

  instances(): readonly string[] {
    return this.keys.map((key) => `${prefix}:{instances}:${key.hash('service', this.serviceUrl)}`);
  }

  check(instance: string): string {
    return `${prefix}:{check}:${instance}`;
  }

  /** Returns a test name in the cluster slot of another name. */
  checkInSlotOf(name: string, instance: string): string {
    return `${name.slice(0, name.indexOf('}') + 1)}:check:${instance}`;
  }
}

/** Decrypts the exchange that is stored under these names. Returns null if it belongs to other names or cannot be read. */
export function openExchange({ key, question }: RedisNames, sealed: Buffer): Exchange | null {
  const plain = key.open(sealed, question);
  return plain === null ? null : decodeExchange(plain);
}
