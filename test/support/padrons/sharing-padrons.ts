import { Client } from 'pg';
import { indebted } from '../requests/credit-request';
import { askPriced } from '../requests/money';
import { type EngineRig, engineRig } from '../stores/engines';
import { type RunningPadron, runPadron, type Setup } from './padron';
import { type ProxiedPadron, runPadronBehindProxy } from './padron-behind-proxy';

type Settings = Readonly<Record<string, string>>;

/** Padrons over one PostgreSQL and one service. Each has its own sandbox, but only the first one's is called. */
export interface SharingPadrons {
  readonly first: ProxiedPadron;
  readonly second: RunningPadron;
  readonly proxy: ProxiedPadron['proxy'];
  /** Settings of a further process. */
  settings(): Settings;
  add(settings?: Settings, setup?: Pick<Setup, 'now'>): Promise<RunningPadron>;
  /** Calls that have reached the service or its replacement. */
  calls(): number;
  query<Row extends object>(sql: string): Promise<readonly Row[]>;
  stop(): Promise<void>;
}

export async function startSharingPadrons(
  rig: EngineRig,
  settings: Settings = {},
  settingsOfSecond: Settings = {},
  setup: Pick<Setup, 'sandbox'> = {},
): Promise<SharingPadrons> {
  const { environment: database } = await rig.settings();
  const environment: Settings = { REPLAY_SECONDS: '60', ...database, ...settings };
  const first = await runPadronBehindProxy(environment, setup);
  const running: RunningPadron[] = [first];
  const add = async (besides: Settings = {}, besidesSetup: Pick<Setup, 'now'> = {}): Promise<RunningPadron> => {
    const registryUrl = () => first.proxy.url;
    const padron = await runPadron({ ...besidesSetup, environment: { ...environment, ...besides }, registryUrl });
    let stopping: Promise<void> | null = null;
    const stop = (): Promise<void> => {
      stopping ??= padron.stop();
      return stopping;
    };
    running.push({ ...padron, stop });
    return { ...padron, stop };
  };
  return {
    first,
    second: await add(settingsOfSecond),
    proxy: first.proxy,
    settings: () => ({ PORT: '0', REGISTRY_URL: first.proxy.url, ...environment }),
    add,
    calls: () => first.proxy.requests.length,
    query: (sql) => queryDatabase(environment.DATABASE_URL ?? '', sql),
    stop: async () => {
      for (const padron of running) await padron.stop();
    },
  };
}

/** Two such padrons for the tests of a file or a `describe`, and people about whom no test has asked. */
export function sharingRig(settings: Settings = {}, rig: EngineRig = engineRig('postgres')) {
  let used = 0;
  let padrons: SharingPadrons;
  beforeAll(async () => {
    padrons = await startSharingPadrons(rig, settings);
    rig.atEnd(() => padrons.stop());
  });
  beforeEach(() => padrons.proxy.reset());
  return {
    get padrons(): SharingPadrons {
      return padrons;
    },
    nextPerson: (): string => indebted[used++] ?? '',
  };
}

async function queryDatabase<Row extends object>(url: string, sql: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns the state of each question in the store: OPEN for a running call, ANSWERED for an answer that others can use. */
export async function questionStates({ query }: SharingPadrons): Promise<readonly string[]> {
  const calls = await query<{ readonly state: string }>(
    `SELECT state FROM calls UNION ALL SELECT 'ANSWERED' FROM answers WHERE rule = 'ACCOUNT'`,
  );
  return calls.map(({ state }) => state);
}

/** Whether a process waits for the call of another process. */
export async function isAwaited({ query }: SharingPadrons): Promise<boolean> {
  return (await query(`SELECT FROM calls WHERE state = 'OPEN' AND awaited`)).length > 0;
}

const creditQuery =
  'query Credit($nss: NSS) { person(nss: $nss) { credit { outcome problems { code } evidence { servedFrom } } } }';

export async function askCredit(
  padron: Pick<RunningPadron, 'url'>,
  nss: string,
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
) {
  const request = { query: creditQuery, variables: { nss } };
  const { data, errors = [], units } = await askPriced(padron, request, headers, signal);
  const credit = data?.person.credit;
  const codes: readonly string[] = (credit?.problems ?? []).map(({ code }: { code: string }) => code);
  return {
    outcome: String(credit?.outcome ?? 'REFUSED'),
    servedFrom: String(credit?.evidence.servedFrom ?? 'NOT_SENT'),
    problems: [...errors.map(({ extensions }) => String(extensions.code)), ...codes],
    spent: units?.spent ?? 0,
    uncertain: units?.uncertain ?? 0,
  };
}

export const answeredLive = { outcome: 'FOUND', servedFrom: 'LIVE', problems: [], spent: 1, uncertain: 0 };
export const answeredShared = { ...answeredLive, servedFrom: 'REPLAY', spent: 0 };
