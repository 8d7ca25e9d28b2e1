import type { Reply } from './connection/redis-client';

/**
 * Intent of a claim: to join a running call, to take over the call of a dead instance, or to replace a useless answer.
 */
export type ClaimIntent = 'join' | 'takeover' | 'replace';

export type ClaimReply =
  | { readonly kind: 'owned'; readonly lostUnits: number; readonly pauseMs: number }
  | { readonly kind: 'answered'; readonly isFailure: boolean; readonly sealed: Buffer; readonly remainingMs: number }
  | { readonly kind: 'underWay'; readonly callId: string }
  /** Its senders died, one after another. */
  | { readonly kind: 'poisoned'; readonly remainingMs: number; readonly lostUnits: number }
  | { readonly kind: 'overBudget'; readonly lostUnits: number }
  /** The awaited call has expired. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'unavailable' };

/** A stored answer, or its size if it is too large for the reply. */
export interface AnsweredReply {
  readonly isFailure: boolean;
  readonly servesMs: number;
  readonly body: Buffer | number;
}

/** Reads the reply of the claim script by its first letter. */
export function readClaim(
  reply: Reply,
): AnsweredReply | Exclude<ClaimReply, { kind: 'answered' | 'changed' | 'unavailable' }> {
  const [letter, second, third] = reply as readonly [Buffer, Reply, Reply];
  switch (String(letter)) {
    case 'O':
      return { kind: 'owned', lostUnits: Number(second), pauseMs: Math.max(0, Number(third)) };
    case 'F':
      return { kind: 'underWay', callId: String(second) };
    case 'X':
      return { kind: 'poisoned', remainingMs: Number(second), lostUnits: Number(third) };
    case 'B':
      return { kind: 'overBudget', lostUnits: Number(third) };
    default: {
      const body = Buffer.isBuffer(third) ? third : Number(third);
      return { isFailure: String(letter) === 'W', servesMs: Number(second), body };
    }
  }
}
