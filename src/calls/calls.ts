import { Calendar } from '../ledger/budgets/period';
import { EntryIds, newProcessName } from '../ledger/entry-id';
import type { Answer } from '../registry/answer/answer';
import type { Caller } from '../registry/caller';
import { EarlyAnswers } from './answers/early-answers';
import { InFlightCalls } from './answers/in-flight-calls';
import { MemoryAnswers } from './answers/memory-answers';
import type { KeyedQuestion } from './answers/shared-answer';
import type { Payer } from './call';
import type { CallServices, CallsOptions } from './call-services';
import { PayerCalls } from './payer-calls';
import { CallStore, type CallStoreOptions } from './store/call-store';

export type StoreSettings = Omit<CallStoreOptions, keyof CallsOptions | 'memory' | 'calendar'>;

/**
 * The calls of this process. Without a store, running calls and answers are in memory. With PostgreSQL, all processes share them through
 * the store. An embedded store has the entries of the ledger and the answers of batches.
 */
export class Calls implements CallServices {
  readonly inFlight: InFlightCalls;
  readonly early: EarlyAnswers;
  readonly ids: EntryIds;

  private constructor(
    readonly options: CallsOptions,
    readonly memory: MemoryAnswers,
    readonly calendar: Calendar,
    /** Null if padron has no store. */
    readonly store: CallStore | null,
  ) {
    const { now, client } = options;
    this.inFlight = new InFlightCalls(now);
    this.ids = new EntryIds(store?.processName ?? newProcessName());
    this.early = new EarlyAnswers({
      now,
      find: (question) => this.find(question),
      publish: (question, label, shared, ms) => store?.publish(question, label, shared, ms),
    });
    client.onPause = (caller, ms) => store?.sharePause(caller, ms);
  }

  static async start(options: CallsOptions, settings: StoreSettings | null): Promise<Calls> {
    if (settings === null) return Calls.inMemory(options);
    const [memory, calendar] = partsOf(options);
    return new Calls(options, memory, calendar, await CallStore.start({ ...settings, ...options, memory, calendar }));
  }

  static inMemory(options: CallsOptions): Calls {
    return new Calls(options, ...partsOf(options), null);
  }

  of(caller: Caller, payer: Payer): PayerCalls {
    return new PayerCalls(this, caller, payer);
  }

  /** Returns an answer that was paid for and can be replayed, without a call. */
  find(question: KeyedQuestion): Answer<unknown> | undefined | Promise<Answer<unknown> | undefined> {
    return this.memory.get(question) ?? this.store?.answers?.find(question);
  }

  /** Calls continue after their clients have disconnected. They are paid, so they end before the store closes. */
  async close(): Promise<void> {
    await this.inFlight.drain();
    this.early.close();
    await this.store?.close();
    this.memory.clear();
  }
}

function partsOf({ windowMs, now, timeZone }: CallsOptions): [MemoryAnswers, Calendar] {
  return [new MemoryAnswers({ seconds: windowMs / 1_000, now }), new Calendar(timeZone)];
}
