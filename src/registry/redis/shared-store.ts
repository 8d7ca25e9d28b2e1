import type { StoredQuestion } from '../replay/answer-store';
import type { RedisClient, Reply } from './connection/redis-client';
import type { RedisLink } from './connection/redis-link';
import type { Instances } from './instances';
import { channelPrefix, type Place } from './places';
import type { Landing, SharedFlight } from './shared-flight';
import { UnlandedFlights } from './unlanded-flights';
import { Wakers } from './wakers';

/** How a question is claimed: with whoever asks it, in the place of a call whose asker died, or over an answer that is of no use. */
export type ClaimIntent = 'join' | 'takeover' | 'replace';

export type ClaimReply =
  | { readonly kind: 'owned'; readonly lostUnits: number; readonly pauseMs: number }
  | { readonly kind: 'answered'; readonly isFailure: boolean; readonly sealed: Buffer; readonly remainingMs: number }
  | { readonly kind: 'underWay'; readonly flightId: string }
  /** Its askers died, one after another. */
  | { readonly kind: 'deadly'; readonly remainingMs: number; readonly lostUnits: number }
  | { readonly kind: 'overBudget' }
  | { readonly kind: 'away' };

export interface SharedStoreParts {
  readonly instance: string;
  /** For what waits: small, and in time. */
  readonly client: RedisClient;
  /** For large answers, which would hold up the small ones. */
  readonly bulk: RedisClient;
  readonly link: RedisLink;
  readonly instances: Instances;
  readonly callTimeoutMs: number;
  readonly windowMs: number;
  readonly stop: () => Promise<void>;
}

/** What a claim gives at once; larger answers come over a connection of their own. */
const maxInlineBytes = 64_000;
const bulkTimeoutMs = 5_000;
/** What a call may take beyond its deadline before others ask in its place. */
const landingGraceMs = 5_000;
/** How long it is remembered that somebody asked and never said what became of it. */
const traceMs = 600_000;
/** A failure is for those who wait now. */
const failureMs = 3_000;

/** The store as the instance speaks with it: one command a step, each with an answer for when the store is away. */
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
    { price, operation: budget }: StoredQuestion,
    awaited: string,
    intent: ClaimIntent,
  ): Promise<ClaimReply> {
    const { client, link, instance, callTimeoutMs } = this.parts;
    const keys = operation === null ? [name, pause] : [name, pause, operation];
    const mayTakeMs = callTimeoutMs + landingGraceMs;
    const asker = [flightId, price, mayTakeMs, instance, awaited, intent] as const;
    const bounds = [Math.max(traceMs, 2 * mayTakeMs), maxInlineBytes, budget?.units ?? 0] as const;
    const outcome = await link.ask(() => client.run('padronClaim', keys, ...asker, ...bounds));
    return outcome === null ? { kind: 'away' } : this.readClaim(name, outcome.reply);
  }

  /** Waits until something may have changed with a question that another instance puts. */
  async wait({ question }: Place, flightId: string, signal: AbortSignal): Promise<ClaimIntent | 'aborted' | 'away'> {
    await this.wakers.wait(question, signal);
    if (signal.aborted) return 'aborted';
    if (!this.isUp) return 'away';
    return (await this.parts.instances.isDead(instanceOf(flightId))) ? 'takeover' : 'join';
  }

  /** The sealed answer to a question, where there is one. */
  async read({ question }: Place): Promise<Buffer | null> {
    const { bulk, link } = this.parts;
    const outcome = await link.ask(() => bulk.call('HMGET', question, 's', 'b'), bulkTimeoutMs);
    const [state, sealed] = (outcome?.reply ?? []) as readonly (Buffer | null | undefined)[];
    return String(state) === 'A' && Buffer.isBuffer(sealed) ? sealed : null;
  }

  async reserve(
    places: readonly Place[],
    { price, operation }: Pick<StoredQuestion, 'price' | 'operation'>,
  ): Promise<boolean> {
    const { client, link } = this.parts;
    for (const { operation: name } of places) {
      if (name === null || operation === null) continue;
      const outcome = await link.ask(() => client.run('padronReserve', [name], price, operation.units));
      if (outcome !== null && Number(outcome.reply) === 0) return false;
    }
    return true;
  }

  pause(places: readonly Place[], ms: number): void {
    const { client, link } = this.parts;
    for (const { pause } of places) void link.ask(() => client.call('SET', pause, '1', 'PX', Math.ceil(ms)));
  }

  /** A call is under way here: should the store forget it, or come back, it is claimed again. */
  hold(flight: SharedFlight): void {
    this.unlanded.hold(flight);
  }

  /** Leaves in the store what became of a call. Nobody waits for that; what cannot be left now is left later. */
  land(landing: Landing): void {
    this.unlanded.release(landing.flight);
    const landed = this.tryLand(landing).finally(() => this.landings.delete(landed));
    this.landings.add(landed);
  }

  /** The store has come back: what it did not see is brought after. */
  async catchUp(): Promise<void> {
    for (const flight of this.unlanded.underWay())
      for (const place of flight.places) await this.claim(place, flight.id, flight.question, '', 'join');
    for (const landing of this.unlanded.takeLandings()) this.land(landing);
    this.wakers.wakeAll();
  }

  /** Wakes those who wait for a question. */
  wake(name: string): void {
    this.wakers.wake(name);
  }

  async close(): Promise<void> {
    await Promise.all(this.landings);
    await this.parts.stop();
  }

  private async tryLand(landing: Landing): Promise<void> {
    const { flight, result, sealed, unusedUnits, landedAt } = landing;
    const remainingMs = result === 'A' ? this.parts.windowMs - (performance.now() - landedAt) : failureMs;
    for (const [index, { question, operation }] of flight.places.entries()) {
      const body = sealed[index] ?? '';
      const isLarge = body.length > maxInlineBytes;
      const client = isLarge ? this.parts.bulk : this.parts.client;
      const keys = operation === null ? [question] : [question, operation];
      const values = [
        flight.id,
        result,
        body,
        Math.max(1, Math.round(remainingMs)),
        unusedUnits,
        channelPrefix,
      ] as const;
      const send = () => client.run('padronLand', keys, ...values);
      const outcome = await this.parts.link.ask(send, isLarge ? bulkTimeoutMs : undefined);
      if (outcome === null) return this.unlanded.keep(landing);
    }
  }

  private async readClaim(name: string, reply: Reply): Promise<ClaimReply> {
    const [state, detail, third] = reply as readonly [Buffer, Reply, Reply];
    switch (String(state)) {
      case 'O':
        return { kind: 'owned', lostUnits: Number(detail), pauseMs: Math.max(0, Number(third)) };
      case 'F':
        return { kind: 'underWay', flightId: String(detail) };
      case 'X':
        return { kind: 'deadly', remainingMs: Number(detail), lostUnits: Number(third) };
      case 'B':
        return { kind: 'overBudget' };
      default: {
        const sealed = Buffer.isBuffer(third) ? third : await this.readLarge(name);
        const isFailure = String(state) === 'W';
        return sealed === null
          ? { kind: 'away' }
          : { kind: 'answered', isFailure, sealed, remainingMs: Number(detail) };
      }
    }
  }

  private async readLarge(name: string): Promise<Buffer | null> {
    const { bulk, link } = this.parts;
    const outcome = await link.ask(() => bulk.call('HGET', name, 'b'), bulkTimeoutMs);
    return Buffer.isBuffer(outcome?.reply) ? outcome.reply : null;
  }
}

const instanceOf = (flightId: string): string => flightId.split('.')[0] ?? '';
