import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { ClaimedCall, KeyedQuestion } from '../../../src/calls/answers/answer-store';
import { MemoryAnswerStore } from '../../../src/calls/answers/memory-answer-store';
import type { Answer, Outcome } from '../../../src/registry/answer/answer';
import type { Exchange } from '../../../src/registry/answer/exchange';
import { interpret } from '../../../src/registry/answer/interpret';
import { endpoint } from '../../../src/registry/endpoint/endpoint';
import type { RedisAnswerStore } from '../../../src/registry/redis/redis-answer-store';
import { startRedisAnswerStore } from '../../../src/registry/redis/start-redis';

/** A question of a service that knows one endpoint. */
export const creditOf = endpoint({
  name: 'credit',
  registry: 'housing',
  method: 'POST',
  path: '/api/credit',
  encoding: 'query',
  envelope: 'record',
  units: 1,
  permission: null,
  scope: 'test',
  batch: false,
  schema: z.object({ number: z.string().nullable() }),
  toWire: ({ nss }: { nss: string }) => ({ nss }),
  argumentPaths: {},
  isEmpty: ({ number }) => number === null,
});

const address = 'POST /api/credit';

export const NOW = new Date('2026-11-20T12:00:00Z');

export function questionOf(nss: string, parts: Partial<KeyedQuestion> = {}): KeyedQuestion {
  const caller = { bearer: 'token', account: 'account', sandbox: false, usesServerToken: false, permissions: null };
  const base = { endpoint: creditOf, question: { nss }, cacheKey: JSON.stringify({ nss }), price: 1, operation: null };
  const question = { ...base, caller, ...parts };
  const { account, sandbox } = question.caller;
  return { ...question, key: `${account} ${sandbox} ${question.cacheKey}` };
}

export function exchangeOf(
  outcome: Extract<Outcome, 'FOUND' | 'NOT_FOUND' | 'UNAVAILABLE'>,
  checkedAt = NOW,
): Exchange {
  if (outcome === 'UNAVAILABLE')
    return { result: { kind: 'failed', reason: 'TIMEOUT', sent: true, detail: 'late' }, checkedAt };
  const data = { number: outcome === 'FOUND' ? '123' : null };
  const body = Buffer.from(JSON.stringify({ success: true, status: 200, message: 'ok', codigoValidacion: 'c1', data }));
  const headers = { 'content-type': 'application/json' };
  return { result: { kind: 'delivered', status: 200, headers, body }, checkedAt };
}

export const interpretFor = ({ endpoint, question, caller }: KeyedQuestion, { result, checkedAt }: Exchange) =>
  interpret(endpoint, question, result, { address, checkedAt, sandbox: caller.sandbox, usesServerToken: false });

/** Completes a call as the client does: the exchange first, then what it means. */
export function complete(call: ClaimedCall, question: KeyedQuestion, exchange: Exchange): Answer<unknown> {
  call.onExchange?.(exchange);
  const answer = interpretFor(question, exchange);
  call.complete(answer);
  return answer;
}

export const newKey = (): string => randomBytes(32).toString('hex');

export interface RedisStoreSettings {
  readonly url: string;
  readonly secrets: readonly string[];
  readonly seconds?: number;
  readonly serviceUrl?: string;
  readonly now?: () => Date;
  readonly onPause?: (account: string, ms: number) => void;
  readonly onShare?: (rank: number, count: number) => void;
  readonly callTimeoutMs?: number;
}

export function startRedisStore(settings: RedisStoreSettings): Promise<RedisAnswerStore> {
  const { url, secrets, seconds = 30, serviceUrl = 'https://registry.example', now = () => NOW } = settings;
  return startRedisAnswerStore({
    url,
    secrets,
    serviceUrl,
    memory: new MemoryAnswerStore({ seconds, now }),
    windowMs: seconds * 1_000,
    callTimeoutMs: settings.callTimeoutMs ?? 30_000,
    now,
    address: () => address,
    interpret: interpretFor,
    onPause: settings.onPause ?? (() => undefined),
    onShare: settings.onShare ?? (() => undefined),
    onClaim: () => undefined,
    onChange: () => undefined,
  });
}
