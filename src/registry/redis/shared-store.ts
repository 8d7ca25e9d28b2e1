import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyedQuestion } from '../answers/answer-store';
import { type AnsweredReply, type ClaimIntent, type ClaimReply, readClaim } from './claim-reply';
import type { BulkConnection } from './connection/bulk-connection';
import type { RedisClient, Reply } from './connection/redis-client';
import type { RedisLink } from './connection/redis-link';
import type { Instances } from './instances';
import { channelPrefix, type Place } from './places';
import { type Landing, landingOfNothing, type SharedFlight } from './shared-flight';
import { UnlandedFlights } from './unlanded-flights';
import { Wakers } from './wakers';

export interface SharedStoreParts {
  readonly instance: string;
  /** Connection for small commands. */
  readonly client: RedisClient;
  /** Connection for large answers, which would delay small ones. */
  readonly bulk: BulkConnection;
  readonly link: RedisLink;
  readonly instances: Instances;
  readonly callTimeoutMs: number;
  readonly windowMs: number;
  readonly stop: () => Promise<void>;
}

/** Maximum bytes of an answer in a reply. Larger answers use a separate connection. */
const maxInlineBytes = 64_000;
/** Milliseconds after a call's deadline before other instances repeat it. */
const landingGraceMs = 5_000;
/** Milliseconds that a call without a result is remembered. */
const traceMs = 600_000;
/** A failure is for those who wait now. */
const failureMs = 3_000;
/** Milliseconds until a broken connection is restored. */
const retryMs = 700;
/** Milliseconds that a stop waits for results that are being written. */
const closeMs = 1_000;

/** Commands of the instance to the store, each with a result for an unavailable store. */
export class SharedStore {
  private readonly unlanded: UnlandedFlights;
  private readonly landings = new Set<Promise<void>>();
  private readonly wakers = new Wakers();

  constructor(private readonly parts: SharedStoreParts) {
    this.unlanded = new UnlandedFlights(parts.windowMs);
  }

  get instance(): string {
    return this.parts.instance;
  }

  get isUp(): boolean {
    return this.parts.link.isUp;
  }

  async claim(
    { question: name, pause, operation }: Place,
    flightId: string,
    { price, operation: budget }: KeyedQuestion,
    awaited: string,
    intent: ClaimIntent,
  ): Promise<ClaimReply> {
    const { client, link, instance, callTimeoutMs } = this.parts;
    const keys = operation === null ? [name, pause] : [name, pause, operation];
    const mayTakeMs = callTimeoutMs + landingGraceMs;
    const asker = [flightId, price, mayTakeMs, instance, awaited, intent] as const;
    const bounds = [Math.max(traceMs, 2 * mayTakeMs), maxInlineBytes, budget?.units ?? 0] as const;
    const outcome = await link.ask(name, () => client.run('padronClaim', keys, ...asker, ...bounds));
    if (outcome === null) return { kind: 'away' };
    const reply = readClaim(outcome.reply);
    return 'body' in reply ? this.readAnswered(name, reply) : reply;
  }

  /** Waits until something may have changed with a question that another instance puts. */
  async wait(
    { question }: Place,
    flightId: string,
    signal: AbortSignal,
    maxMs: number,
  ): Promise<ClaimIntent | 'aborted' | 'away'> {
    await this.wakers.wait(question, signal, maxMs);
    if (signal.aborted) return 'aborted';
    if (!this.isUp) return 'away';
    return (await this.parts.instances.isDead(instanceOf(flightId))) ? 'takeover' : 'join';
  }

  /** The sealed answer to a question, where there is one. */
  async read({ question }: Place): Promise<Buffer | null> {
    const { client, link } = this.parts;
    const outcome = await link.ask(question, () => client.run('padronPeek', [question], maxInlineBytes));
    const [body = null] = (outcome?.reply ?? []) as readonly Reply[];
    return Buffer.isBuffer(body) ? body : body === null ? null : this.readLarge(question, Number(body));
  }

  /** Sets units of an operation aside, or gives them back (below 0), under every key or under none. */
  async reserve(places: readonly Place[], units: number, budget: number): Promise<boolean> {
    const { client, link } = this.parts;
    const names = places.flatMap(({ operation }) => (operation === null ? [] : [operation]));
    for (const [index, name] of names.entries()) {
      const outcome = await link.ask(name, () => client.run('padronReserve', [name], units, budget));
      if (outcome === null || Number(outcome.reply) !== 0) continue;
      for (const reserved of names.slice(0, index))
        await link.ask(reserved, () => client.run('padronReserve', [reserved], -units, budget));
      return false;
    }
    return true;
  }

  pause(places: readonly Place[], ms: number): void {
    const { client, link, instances } = this.parts;
    const now = instances.now();
    if (now === null) return;
    const until = Math.ceil(now + ms);
    for (const { pause } of places) void link.ask(pause, () => client.run('padronPause', [pause], until));
  }

  /** A call is under way here: should the store forget it, or come back, it is claimed again. */
  hold(flight: SharedFlight): void {
    this.unlanded.hold(flight);
  }

  /** Writes the result of a call to the store in the background. If it fails, it is retried later. */
  land(flight: SharedFlight, landing: Landing): void {
    this.unlanded.release(flight);
    this.startLanding(landing);
  }

  /** The store has come back: what it did not see is brought after. */
  async catchUp(): Promise<void> {
    for (const flight of this.unlanded.underWay()) {
      for (const place of flight.places) {
        if (!flight.isOver) await this.claim(place, flight.id, flight.question, '', 'join');
        // The call has ended, perhaps before its claim arrived: no instance must wait for it.
        if (flight.isOver) this.startLanding(landingOfNothing(flight));
      }
    }
    this.landKept();
    this.wakers.wakeAll();
  }

  wake(name: string): void {
    this.wakers.wake(name);
  }

  async close(): Promise<void> {
    await Promise.race([Promise.all(this.landings), sleep(closeMs, null, { ref: false })]);
    await this.parts.stop();
  }

  private startLanding(landing: Landing): void {
    const landed = this.tryLand(landing).finally(() => this.landings.delete(landed));
    this.landings.add(landed);
  }

  private async tryLand(landing: Landing): Promise<void> {
    const { id, result, places, unusedUnits, landedAt } = landing;
    const { instances, windowMs, link, client } = this.parts;
    const servesMs = result === 'answer' ? windowMs - (performance.now() - landedAt) : failureMs;
    const serverTime = instances.now();
    const isUseless = servesMs <= 0 || serverTime === null;
    for (const { place, sealed } of places) {
      const keys = place.operation === null ? [place.question] : [place.question, place.operation];
      const until = isUseless ? 0 : Math.ceil(serverTime + servesMs);
      const values = [id, isUseless ? 'D' : resultCodes[result], sealed, until, unusedUnits, channelPrefix] as const;
      const outcome =
        sealed.length > maxInlineBytes
          ? await this.parts.bulk.ask((bulk) => bulk.run('padronLand', keys, ...values), sealed.length)
          : await link.ask(place.question, () => client.run('padronLand', keys, ...values));
      if (outcome === null) return this.landLater(landing);
    }
  }

  /** Retries when the store is back, or after a moment if only the connection for large answers is missing. */
  private landLater(landing: Landing): void {
    this.unlanded.keep({ ...landing, failures: landing.failures + (this.isUp ? 1 : 0) });
    if (this.isUp) setTimeout(() => this.landKept(), retryMs).unref();
  }

  private landKept(): void {
    if (!this.isUp) return;
    for (const landing of this.unlanded.takeLandings()) this.startLanding(landing);
  }

  private async readAnswered(name: string, { isFailure, servesMs, body }: AnsweredReply): Promise<ClaimReply> {
    const started = performance.now();
    const sealed = Buffer.isBuffer(body) ? body : await this.readLarge(name, body);
    if (sealed === null) return this.parts.bulk.isReady && this.isUp ? { kind: 'changed' } : { kind: 'away' };
    return { kind: 'answered', isFailure, sealed, remainingMs: servesMs - (performance.now() - started) };
  }

  private async readLarge(name: string, bytes: number): Promise<Buffer | null> {
    const outcome = await this.parts.bulk.ask((bulk) => bulk.call('HGET', name, 'b'), bytes);
    return Buffer.isBuffer(outcome?.reply) ? outcome.reply : null;
  }
}

const resultCodes = { answer: 'A', failure: 'W', nothing: 'D' } as const;

const instanceOf = (flightId: string): string => flightId.split('.')[0] ?? '';
