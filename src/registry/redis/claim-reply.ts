import type { Reply } from './connection/redis-client';

/** How a question is claimed: with whoever asks it, in the place of a call whose asker died, or over an answer that is of no use. */
export type ClaimIntent = 'join' | 'takeover' | 'replace';

export type ClaimReply =
  | { readonly kind: 'owned'; readonly lostUnits: number; readonly pauseMs: number }
  | { readonly kind: 'answered'; readonly isFailure: boolean; readonly sealed: Buffer; readonly remainingMs: number }
  | { readonly kind: 'underWay'; readonly flightId: string }
  /** Its askers died, one after another. */
  | { readonly kind: 'deadly'; readonly remainingMs: number; readonly lostUnits: number }
  | { readonly kind: 'overBudget'; readonly lostUnits: number }
  /** What stood there has expired meanwhile. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'away' };

/** Somebody was answered: what stands there, or its size where it is too large to be given at once. */
export interface AnsweredReply {
  readonly isFailure: boolean;
  readonly servesMs: number;
  readonly body: Buffer | number;
}

/** What the script of a claim says, by its first letter. */
export function readClaim(
  reply: Reply,
): AnsweredReply | Exclude<ClaimReply, { kind: 'answered' | 'changed' | 'away' }> {
  const [letter, second, third] = reply as readonly [Buffer, Reply, Reply];
  switch (String(letter)) {
    case 'O':
      return { kind: 'owned', lostUnits: Number(second), pauseMs: Math.max(0, Number(third)) };
    case 'F':
      return { kind: 'underWay', flightId: String(second) };
    case 'X':
      return { kind: 'deadly', remainingMs: Number(second), lostUnits: Number(third) };
    case 'B':
      return { kind: 'overBudget', lostUnits: Number(third) };
    default: {
      const body = Buffer.isBuffer(third) ? third : Number(third);
      return { isFailure: String(letter) === 'W', servesMs: Number(second), body };
    }
  }
}
