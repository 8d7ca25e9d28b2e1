import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { OTHER_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { luhnCheckDigit } from '../../../src/extensions/sandbox/data/identifiers';
import type { SeededRandom } from '../../../src/extensions/sandbox/data/random';
import { type Sandbox, startSandbox } from '../../../src/extensions/sandbox/service';
import { JWT_SECRET, signedBySecret } from '../../support/keys/identity-provider';
import { type PadronProcess, startProcess } from '../../support/processes/process';
import { startProxy, type TamperingProxy } from '../../support/proxies/tampering-proxy';
import { BatchClient, CREDIT, NSS } from '../../support/requests/batches';
import { askPriced, type PricedAnswer } from '../../support/requests/money';
import type { PostgresCluster } from '../../support/stores/postgres';

const dataKeys = ['0123456789abcdef'.repeat(3), 'fedcba9876543210'.repeat(3)] as const;
/** The first six digits of the sandbox's people, each once. */
const beginnings = [...new Set(NSS.map((nss) => nss.slice(0, 6)))];
/** Returns an NSS as the service receives it, without leading zeros. */
const onWire = (nss: string): string => nss.replace(/^0+/, '');
const inAnHour = (): number => Math.floor(Date.now() / 1_000) + 3_600;

/** The scopes of the clients. Only the auditor sees the batches of others. */
const scopes = {
  payroll: 'padron_batch use_buscar_credito use_buscar_cedula',
  intern: 'padron_batch use_buscar_credito',
  kiosk: 'use_buscar_credito',
  auditor: 'padron_batch padron_batches_all padron_ledger padron_budgets',
} as const;
export type ClientName = keyof typeof scopes;
/** Clients with batches and budgets, and all that ask. The kiosk never has a budget. */
export const spenders = ['payroll', 'intern'] as const;
export const askers = [...spenders, 'kiosk'] as const;
export type Spender = (typeof spenders)[number];
export type Asker = (typeof askers)[number];

const tokenOf = (name: ClientName): string =>
  signedBySecret(JWT_SECRET, { scope: scopes[name], azp: name, exp: inAnHour() });

/** Milliseconds after which every process has noticed that the store is back. */
const recoveryMs = 3_000;

export interface SiegedBatch {
  readonly id: string;
  readonly owner: Spender;
  readonly people: readonly string[];
  /** Whether UNKNOWN rows may have been retried. Only then may a question be paid twice. */
  mayRepeat: boolean;
  isErased: boolean;
}

export interface SiegeSetup {
  readonly environment: Readonly<Record<string, string>>;
  readonly processes: number;
  /** The folder in which they run. */
  readonly folder: string;
  /** The server of the store, and the role that owns its database. Null with an embedded store. */
  readonly server: { readonly cluster: PostgresCluster; readonly role: string } | null;
}

/** Processes of padron with keys in different orders and one service that can fail, and the actions of two clients and an auditor. */
export class Siege {
  readonly batches: SiegedBatch[] = [];
  /** NSS of each client's requests outside batches. */
  readonly asked: Record<Asker, string[]> = { payroll: [], intern: [], kiosk: [] };
  /** Kills and stops of processes, restarts with other keys, and outages of the store. */
  troubles = 0;
  /** The last one. */
  recent = 'nothing';
  crashes = 0;
  /** Units that questions may have been charged again because of a crash. */
  forgotten = 0;
  /** Units that responses reported as uncertain. The ledger forgets it if the answer arrives after its process was declared dead. */
  reported = 0;
  /** Questions outside batches since the last crash. */
  recentQuestions: (readonly [client: Asker, nss: string])[] = [];
  /** Questions that were asked of all processes at once, and for which no response reported an uncertain price. */
  askedTogether = 0;
  /** Percentage of answers that are lost after the service has charged them. */
  lossPercent = 0;
  private serial = 0;
  private readonly processes: PadronProcess[] = [];
  private readonly urls: string[] = [];
  private readonly keyTurns: number[] = [];

  private constructor(
    private readonly setup: SiegeSetup,
    readonly service: Sandbox,
    private readonly proxy: TamperingProxy,
    readonly random: SeededRandom,
  ) {
    proxy.tamper(async () => {
      // Not from the seed, because calls arrive in any order and the same seed must give the same actions.
      await sleep(5 + Math.random() * 30);
      return Math.random() * 100 < this.lossPercent ? { status: 500, json: {} } : null;
    });
  }

  static async start(setup: SiegeSetup, random: SeededRandom): Promise<Siege> {
    const service = await startSandbox();
    const siege = new Siege(setup, service, await startProxy(service.url), random);
    for (let index = 0; index < setup.processes; index += 1) await siege.spawn(index);
    return siege;
  }

  /** Returns a client of one of the processes. */
  as(name: ClientName, headers: Readonly<Record<string, string>> = {}): BatchClient {
    const url = this.random.pick(this.urls);
    return new BatchClient({ url }, tokenOf(name), headers);
  }

  /** Returns unused people, so that each call belongs to one batch or to one client. */
  unusedPeople(count: number): readonly string[] {
    return Array.from({ length: count }, () => {
      const place = String(9_999 - Math.floor(this.serial / beginnings.length)).padStart(4, '0');
      const body = `${beginnings[this.serial % beginnings.length]}${place}`;
      this.serial += 1;
      return body + luhnCheckDigit(body);
    });
  }

  async create(owner: Spender, count: number): Promise<void> {
    const people = this.unusedPeople(count);
    // A tenth of the rows repeats earlier ones.
    const rows = [...people, ...people.slice(0, Math.ceil(count / 10))].map((nss, index) => ({ nss, ref: `${index}` }));
    const input = { operation: CREDIT, key: randomUUID(), rows };
    const { batch } = await this.persist(() => this.as(owner).create(input));
    this.batches.push({ id: batch.id, owner, people, mayRepeat: false, isErased: false });
  }

  /** Asks the same question of all processes at the same moment. Null if one of them did not answer. */
  async askAll(name: ClientName, nss: string): Promise<readonly PricedAnswer[] | null> {
    const request = { query: CREDIT, variables: { nss } };
    const askers = [0, 1, 2].map((index) => ({ url: this.urls[index % this.urls.length] ?? '' }));
    const asked = askers.map((asker) => askPriced(asker, request, { authorization: `Bearer ${tokenOf(name)}` }));
    const answers = await Promise.allSettled(asked);
    for (const answer of answers) if (answer.status === 'fulfilled') this.countReported(answer.value);
    return answers.every((answer) => answer.status === 'fulfilled') ? answers.map(({ value }) => value) : null;
  }

  /** Asks a question of one of the processes. */
  async askOne(name: ClientName, nss: string, headers: Readonly<Record<string, string>>): Promise<void> {
    const request = { query: CREDIT, variables: { nss } };
    const asker = { url: this.random.pick(this.urls) };
    this.countReported(await askPriced(asker, request, { authorization: `Bearer ${tokenOf(name)}`, ...headers }));
  }

  private countReported({ units }: PricedAnswer): void {
    this.reported += units?.uncertain ?? 0;
  }

  /** Makes something go wrong and right again: kinds and processes in turn. */
  async makeTrouble(): Promise<void> {
    const kinds: readonly Trouble[] = [
      ['a kill', (index) => this.restart(index, 'SIGKILL')],
      ['new keys', (index) => this.changeKeys(index)],
      ['a stop', (index) => this.pause(index)],
      ...(this.setup.server === null ? [] : this.outages(this.setup.server)),
    ];
    const index = Math.floor(this.troubles / kinds.length) % this.setup.processes;
    const [name, run] = kinds[this.troubles % kinds.length] as Trouble;
    this.troubles += 1;
    this.recent = name;
    if (name === crash) {
      this.crashes += 1;
      this.recentQuestions = [];
    }
    await run(index);
  }

  /** Ways in which the store is unavailable for some seconds. */
  private outages({ cluster, role }: NonNullable<SiegeSetup['server']>): readonly Trouble[] {
    const last = async (begin: () => Promise<void> | void, end: () => Promise<void> | void): Promise<void> => {
      await begin();
      await sleep(this.random.integer(500, 8_000));
      await end();
      await sleep(recoveryMs);
    };
    const start = (): Promise<void> => cluster.start();
    const limit = (connections: number): Promise<void> =>
      cluster.run(`ALTER ROLE ${role} CONNECTION LIMIT ${connections}`);
    const refuse = async (): Promise<void> => {
      await limit(tooFewConnections);
      await cluster.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`);
    };
    const setReadOnly = (isReadOnly: boolean) => (): Promise<void> => cluster.setReadOnly(isReadOnly);
    return [
      ['a restart of the store', () => last(() => cluster.stop(), start)],
      [
        'a frozen store',
        () =>
          last(
            () => cluster.freeze(),
            () => cluster.thaw(),
          ),
      ],
      ['a read-only store', () => last(setReadOnly(true), setReadOnly(false))],
      ['few connections', () => last(refuse, () => limit(-1))],
      [crash, () => last(() => cluster.kill(), start)],
    ];
  }

  private async restart(index: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.processes[index]?.child.kill(signal);
    await this.processes[index]?.ended();
    await this.spawn(index);
  }

  /** The first time all processes receive the new key, so that later each of them may write with it. */
  private async changeKeys(index: number): Promise<void> {
    const isFirst = this.keyTurns.length === 0;
    for (const each of isFirst ? this.processes.keys() : [index]) {
      this.keyTurns[each] = (this.keyTurns[each] ?? 0) + 1;
      await this.restart(each, 'SIGTERM');
    }
  }

  /** Stops a process as a machine that sleeps, often for so long that the others declare it dead. */
  private async pause(index: number): Promise<void> {
    this.processes[index]?.child.kill('SIGSTOP');
    await sleep(this.random.integer(500, 12_000));
    this.processes[index]?.child.kill('SIGCONT');
  }

  /** Repeats a request until it is answered, because a process may be restarting. */
  async persist<Result>(ask: () => Promise<Result>): Promise<Result> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await ask();
      } catch (error) {
        if (attempt >= 100) throw error;
        await sleep(100);
      }
    }
  }

  /** Returns the units that the service has charged for each person. */
  charges(people: readonly string[]): ReadonlyMap<string, number> {
    const wanted = new Set(people.map(onWire));
    const units = new Map<string, number>();
    for (const call of this.service.calls) {
      const nss = onWire(String(call.input.nss));
      if (wanted.has(nss) && call.units > 0) units.set(nss, (units.get(nss) ?? 0) + call.units);
    }
    return units;
  }

  /** Stops the processes, which write all waiting entries to the store. */
  async end(): Promise<void> {
    for (const { child } of this.processes) child.kill('SIGTERM');
    await Promise.all(this.processes.map((process) => process.ended()));
  }

  async close(): Promise<void> {
    for (const { child } of this.processes) child.kill('SIGKILL');
    await this.proxy.close();
    await this.service.close();
  }

  private async spawn(index: number): Promise<void> {
    const settings = {
      ...this.setup.environment,
      DATA_KEYS: keysOf(this.keyTurns[index] ?? 0),
      PORT: '0',
      LOG_LEVEL: 'error',
      BATCH_CONCURRENCY: '8',
      REPLAY_SECONDS: '1800',
      REGISTRY_URL: this.proxy.url,
      REGISTRY_TOKEN: OTHER_TOKEN,
      JWT_SECRET,
    };
    const process = startProcess(settings, { folder: this.setup.folder });
    this.processes[index] = process;
    const url = await process.address();
    if (url === '') throw new Error(`A padron did not start: ${process.output()}`);
    this.urls[index] = url;
  }
}

/** The old key, then both for readers, and then both in changing order. */
const keysOf = (turn: number): string => {
  if (turn === 0) return dataKeys[0];
  return turn % 2 === 1 ? dataKeys.join() : dataKeys.toReversed().join();
};

type Trouble = readonly [name: string, run: (index: number) => Promise<void>];

/** Only a crash of the store may empty answered questions, which are then paid for again. */
const crash = 'a crash of the store';
/** Connections that are too few for three processes. */
const tooFewConnections = 20;
