import type { Caller } from '../../registry/caller';
import type { RegistryClient } from '../../registry/client/client';
import { CallerWindow, type WindowOwner } from '../answers/caller-window';
import { isFailed, MemoryAnswers } from '../answers/memory-answers';
import { type KeyedQuestion, type SharedAnswer, toShared } from '../answers/shared-answer';
import { Calendar } from '../ledger/entries/period';
import { InFlightCalls } from './in-flight-calls';
import type { Payer, PayerCalls } from './life/call';
import type { OpenCall, PayerCall } from './life/life';
import { StoreBackend } from './store/store-backend';
import type { StoreBackendOptions } from './store/store-parts';
import { StoredPayer } from './store/stored-payer';

export interface CallsOptions {
  readonly client: RegistryClient;
  readonly windowMs: number;
  /** Milliseconds that a call waits for its turn, and as long for its answer. */
  readonly timeoutMs: number;
  readonly timeZone: string;
  readonly now: () => Date;
}

export type StoreSettings = Omit<StoreBackendOptions, keyof CallsOptions | 'memory' | 'calendar'>;

/** The calls of this process. The questions that it is asking, and the answers that it has, are looked up before its store. */
export class Calls {
  readonly inFlight: InFlightCalls;

  private constructor(
    readonly options: CallsOptions,
    readonly memory: MemoryAnswers,
    /** Has the entry of a call before the call is sent. Null if padron has no store. */
    readonly store: StoreBackend | null,
  ) {
    const { now, client } = options;
    this.inFlight = new InFlightCalls(now);
    client.onPause = (caller, ms) => store?.sharePause(caller, ms);
  }

  static async start(options: CallsOptions, settings: StoreSettings | null): Promise<Calls> {
    if (settings === null) return Calls.inMemory(options);
    const memory = new MemoryAnswers(options);
    const store = await StoreBackend.start({
      ...settings,
      ...options,
      memory,
      calendar: new Calendar(options.timeZone),
    });
    return new Calls(options, memory, store);
  }

  static inMemory(options: CallsOptions): Calls {
    return new Calls(options, new MemoryAnswers(options), null);
  }

  of(payer: Payer): PayerCalls {
    return this.store === null ? callsInMemory : new StoredPayer(this.store, payer);
  }

  /** Returns what the caller's early responses have left. */
  windowOf({ tenant }: Caller, owner: WindowOwner): CallerWindow {
    return new CallerWindow(this.memory, tenant, owner, this.store);
  }

  /** Returns an answer from the memory of this process. If it is a failure, another process may have an answer. */
  findLocal(question: KeyedQuestion, window: CallerWindow | null): SharedAnswer | Promise<SharedAnswer> | undefined {
    const { memory, store } = this;
    const found = memory.find(question, window?.name ?? null, question.lasting === null);
    if (found === undefined || store === null || !isFailed(found.answer)) return found;
    const newer = store.answers.find(question).catch(() => undefined);
    return newer.then((answer) => (answer === undefined ? found : toShared(answer, null)));
  }

  /** Calls continue after their clients have disconnected. They are paid, so they end before the store closes. */
  async close(): Promise<void> {
    await this.inFlight.drain();
    this.memory.forget();
    await this.store?.close();
  }
}

const openCall: OpenCall = {
  ledgerId: null,
  onExchange: null,
  isHeld: () => true,
  close: () => undefined,
  release: () => undefined,
  fail: () => undefined,
};

const call: PayerCall = {
  find: async () => ({ kind: 'absent', lostUnits: 0 }),
  open: async () => ({ kind: 'opened', lostUnits: 0, call: openCall }),
  leave: () => undefined,
};

/** The calls of a process without a store. Its running calls and its answers are in `InFlightCalls` and `MemoryAnswers`. */
const callsInMemory: PayerCalls = {
  begin: () => call,
  findKept: async () => undefined,
  lasts: async () => false,
  recordShared: () => null,
  isKept: async () => null,
  link: () => undefined,
  linkPerson: () => undefined,
  recordSavings: () => undefined,
  budgetsLeft: async () => [],
  wholeBudget: async () => null,
  recordRefused: () => undefined,
  written: async () => undefined,
};
