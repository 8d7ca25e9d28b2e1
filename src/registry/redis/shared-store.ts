import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyedQuestion } from '../../calls/answers/answer-store';
import { type AnsweredReply, type ClaimIntent, type ClaimReply, readClaim } from './claim-reply';
import type { BulkConnection } from './connection/bulk-connection';
import type { RedisClient, Reply } from './connection/redis-client';
import type { RedisLink } from './connection/redis-link';
import type { Instances } from './instances';
import { PendingResults } from './pending-results';
import { channelPrefix, type RedisNames } from './redis-names';
import { emptyResult, type SharedCall, type SharedResult } from './shared-call';

export interface SharedStoreDependencies {
  readonly instance: string;
  readonly client: RedisClient;
  readonly bulk: BulkConnection;
  readonly link: RedisLink;
  readonly instances: Instances;
  readonly callTimeoutMs: number;
  readonly windowMs: number;
  readonly stop: () => Promise<void>;
}

/** Maximum bytes of an answer in a reply. Larger answers use a separate connection. */
const maxInlineBytes = 64_000;
/** Milliseconds that other instances wait after a call's deadline before they repeat the call. */
const resultGraceMs = 5_000;
/** Minimum milliseconds that the store keeps a claim without a result. */
const minClaimMs = 600_000;
/** Milliseconds that the store keeps a failure, which only the instances that wait now receive. */
const failureMs = 3_000;
/** Milliseconds until a failed write is retried. By then a broken connection is restored. */
const retryMs = 700;
/** Milliseconds that a stop waits for results that are being written. */
const closeMs = 1_000;

export class SharedStore {
  private readonly pending: PendingResults;
  private readonly writes = new Set<Promise<void>>();
  private readonly waitList = new WaitList();

  constructor(private readonly dependencies: SharedStoreDependencies) {
    this.pending = new PendingResults(dependencies.windowMs);
  }

  get instance(): string {
    return this.dependencies.instance;
  }

  get isUp(): boolean {
    return this.dependencies.link.isUp;
  }

  async claim(
    { question: name, pause, operation }: RedisNames,
    callId: string,
    { price, operation: budget }: KeyedQuestion,
    awaited: string,
    intent: ClaimIntent,
  ): Promise<ClaimReply> {
    const { client, link, instance, callTimeoutMs } = this.dependencies;
    const keys = operation === null ? [name, pause] : [name, pause, operation];
    const maxCallMs = callTimeoutMs + resultGraceMs;
    const claimer = [callId, price, maxCallMs, instance, awaited, intent] as const;
    const limits = [Math.max(minClaimMs, 2 * maxCallMs), maxInlineBytes, budget?.units ?? 0] as const;
    const outcome = await link.ask(name, () => client.run('padronClaim', keys, ...claimer, ...limits));
    if (outcome === null) return { kind: 'unavailable' };
    const reply = readClaim(outcome.reply);
    return 'body' in reply ? this.readAnswered(name, reply) : reply;
  }

  /** Waits until the call of another instance may have ended. Returns the intent of the next claim, or why there is none. */
  async wait(
    { question }: RedisNames,
    callId: string,
    signal: AbortSignal,
    maxMs: number,
  ): Promise<ClaimIntent | 'aborted' | 'unavailable'> {
    await this.waitList.wait(question, signal, maxMs);
    if (signal.aborted) return 'aborted';
    if (!this.isUp) return 'unavailable';
    return (await this.dependencies.instances.isDead(instanceOf(callId))) ? 'takeover' : 'join';
  }

  async read({ question }: RedisNames): Promise<Buffer | null> {
    const { client, link } = this.dependencies;
    const outcome = await link.ask(question, () => client.run('padronPeek', [question], maxInlineBytes));
    const [body = null] = (outcome?.reply ?? []) as readonly Reply[];
    return Buffer.isBuffer(body) ? body : body === null ? null : this.readLarge(question, Number(body));
  }

  /** Reserves units of an operation under every key, or under none. Releases them if `units` is negative. */
  async reserve(namesPerKey: readonly RedisNames[], units: number, budget: number): Promise<boolean> {
    const { client, link } = this.dependencies;
    const operations = namesPerKey.flatMap(({ operation }) => (operation === null ? [] : [operation]));
    for (const [index, name] of operations.entries()) {
      const outcome = await link.ask(name, () => client.run('padronReserve', [name], units, budget));
      if (outcome === null || Number(outcome.reply) !== 0) continue;
      for (const reserved of operations.slice(0, index))
        await link.ask(reserved, () => client.run('padronReserve', [reserved], -units, budget));
      return false;
    }
    return true;
  }

  pause(namesPerKey: readonly RedisNames[], ms: number): void {
    const { client, link, instances } = this.dependencies;
    const now = instances.now();
    if (now === null) return;
    const until = Math.ceil(now + ms);
    for (const { pause } of namesPerKey) void link.ask(pause, () => client.run('padronPause', [pause], until));
  }

  /** Registers a call that is under way. If the store loses its data, the call is claimed again. */
  addCall(call: SharedCall): void {
    this.pending.addCall(call);
  }

  /** Writes the result of a call to the store in the background. A failed write is retried later. */
  endCall(call: SharedCall, result: SharedResult): void {
    this.pending.removeCall(call);
    this.startWrite(result);
  }

  /** Brings a store that is available again up to date: claims the running calls again, and writes the pending results. */
  async catchUp(): Promise<void> {
    for (const call of this.pending.callsUnderWay()) {
      for (const names of call.namesPerKey) {
        if (!call.hasEnded) await this.claim(names, call.id, call.question, '', 'join');
        // If the call ended before its claim arrived, this ends the claim, so that no instance waits for it.
        if (call.hasEnded) this.startWrite(emptyResult(call));
      }
    }
    this.writePending();
    this.waitList.wakeAll();
  }

  readonly wake = (name: string): void => this.waitList.wake(name);

  async close(): Promise<void> {
    await Promise.race([Promise.all(this.writes), sleep(closeMs, null, { ref: false })]);
    await this.dependencies.stop();
  }

  private startWrite(result: SharedResult): void {
    const write = this.tryWrite(result).finally(() => this.writes.delete(write));
    this.writes.add(write);
  }

  private async tryWrite(result: SharedResult): Promise<void> {
    const { id, kind, entries, unusedUnits, answeredAt } = result;
    const { instances, windowMs, link, client } = this.dependencies;
    const validMs = kind === 'answer' ? windowMs - (performance.now() - answeredAt) : failureMs;
    const serverTime = instances.now();
    const isUseless = validMs <= 0 || serverTime === null;
    for (const { names, sealed } of entries) {
      const keys = names.operation === null ? [names.question] : [names.question, names.operation];
      const until = isUseless ? 0 : Math.ceil(serverTime + validMs);
      const values = [id, isUseless ? 'D' : resultCodes[kind], sealed, until, unusedUnits, channelPrefix] as const;
      const outcome =
        sealed.length > maxInlineBytes
          ? await this.dependencies.bulk.ask((bulk) => bulk.run('padronComplete', keys, ...values), sealed.length)
          : await link.ask(names.question, () => client.run('padronComplete', keys, ...values));
      if (outcome === null) return this.writeLater(result);
    }
  }

  /** Retries when the store is available again, or after `retryMs` if only the connection for large answers is down. */
  private writeLater(result: SharedResult): void {
    this.pending.add({ ...result, failures: result.failures + (this.isUp ? 1 : 0) });
    if (this.isUp) setTimeout(() => this.writePending(), retryMs).unref();
  }

  private writePending(): void {
    if (!this.isUp) return;
    for (const result of this.pending.takeResults()) this.startWrite(result);
  }

  private async readAnswered(name: string, { isFailure, remainingMs, body }: AnsweredReply): Promise<ClaimReply> {
    const started = performance.now();
    const sealed = Buffer.isBuffer(body) ? body : await this.readLarge(name, body);
    if (sealed === null)
      return this.dependencies.bulk.isReady && this.isUp ? { kind: 'changed' } : { kind: 'unavailable' };
    return { kind: 'answered', isFailure, sealed, remainingMs: remainingMs - (performance.now() - started) };
  }

  private async readLarge(name: string, bytes: number): Promise<Buffer | null> {
    const outcome = await this.dependencies.bulk.ask((bulk) => bulk.call('HGET', name, 'b'), bytes);
    return Buffer.isBuffer(outcome?.reply) ? outcome.reply : null;
  }
}

const resultCodes = { answer: 'A', failure: 'W', nothing: 'D' } as const;

const instanceOf = (callId: string): string => callId.split('.')[0] ?? '';

/** Milliseconds between polls, in case a message is lost. */
const pollMs = 400;

class WaitList {
  private readonly waiting = new Map<string, Set<() => void>>();

  /** Resolves when the question is answered, when `signal` aborts, or when it is time to poll: after `maxMs` at the latest. */
  wait(name: string, signal: AbortSignal, maxMs: number): Promise<void> {
    return new Promise((resolve) => {
      const listeners = this.waiting.get(name) ?? new Set();
      this.waiting.set(name, listeners);
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        listeners.delete(wake);
        if (listeners.size === 0 && this.waiting.get(name) === listeners) this.waiting.delete(name);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(pollMs, maxMs));
      listeners.add(wake);
      signal.addEventListener('abort', wake, { once: true });
      if (signal.aborted) wake();
    });
  }

  wake(name: string): void {
    for (const wake of this.waiting.get(name) ?? []) wake();
  }

  wakeAll(): void {
    for (const name of [...this.waiting.keys()]) this.wake(name);
  }
}
