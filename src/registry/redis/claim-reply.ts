import { type Problem, problem } from '../answer/problem';
import type { Reply } from './connection/redis-client';

/**
 * Intent of a claim: to join a running call, to take over the call of a dead instance, or to replace a useless answer.
 */
export type ClaimIntent = 'join' | 'takeover' | 'replace';

export type ClaimReply =
  | { readonly kind: 'owned'; readonly lostUnits: number; readonly pauseMs: number }
  | { readonly kind: 'answered'; readonly isFailure: boolean; readonly sealed: Buffer; readonly remainingMs: number }
  | { readonly kind: 'underWay'; readonly callId: string; readonly elapsedMs: number }
  /** The instances that sent the question died, one after another. */
  | { readonly kind: 'poisoned'; readonly remainingMs: number; readonly lostUnits: number }
  | { readonly kind: 'overBudget'; readonly lostUnits: number }
  /** The stored answer disappeared before its bytes were read. The claim is tried again. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'unavailable' };

/** Reply to a claim whose question has a stored answer, or a failure for the instances that waited. */
export interface AnsweredReply {
  readonly isFailure: boolean;
  readonly remainingMs: number;
  /** The sealed bytes, or their number if they are too many for a reply. */
  readonly body: Buffer | number;
}

/** Parses the reply of the claim script. Its first element is a letter for its kind. */
export function readClaim(
  reply: Reply,
): AnsweredReply | Exclude<ClaimReply, { kind: 'answered' | 'changed' | 'unavailable' }> {
  const [letter, second, third] = reply as readonly [Buffer, Reply, Reply];
  switch (String(letter)) {
    case 'O':
      return { kind: 'owned', lostUnits: Number(second), pauseMs: Math.max(0, Number(third)) };
    case 'F':
      return { kind: 'underWay', callId: String(second), elapsedMs: Math.max(0, Number(third)) };
    case 'X':
      return { kind: 'poisoned', remainingMs: Number(second), lostUnits: Number(third) };
    case 'B':
      return { kind: 'overBudget', lostUnits: Number(third) };
    default: {
      const body = Buffer.isBuffer(third) ? third : Number(third);
      return { isFailure: String(letter) === 'W', remainingMs: Number(second), body };
    }
  }
}

export function peerTimeout(): Problem {
  return problem('REGISTRY_TIMEOUT', {
    message:
      'No call was made: another instance of this server is making the same call, but did not get an answer in time.',
    spanish:
      'No se consultó: otra instancia de este servidor está consultando lo mismo y no ha recibido respuesta a tiempo.',
  });
}

export function poisonedQuestion(remainingMs: number): Problem {
  return problem('REGISTRY_PAUSED', {
    retryAfter: Math.max(1, Math.ceil(remainingMs / 1_000)),
    message: 'No call was made: three instances of this server died, one after another, while making this call.',
    spanish: 'No se consultó: tres instancias de este servidor murieron, una tras otra, mientras consultaban esto.',
  });
}
