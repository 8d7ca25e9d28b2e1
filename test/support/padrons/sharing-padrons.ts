import { people } from '../../../src/sandbox/data/people';
import { askPriced, type PricedAnswer } from '../requests/money';
import { type RedisServer, startRedis } from '../stores/redis';
import { type RunningPadron, runPadron } from './padron';
import { type ProxiedPadron, runPadronBehindProxy } from './padron-behind-proxy';
import { LONG_SECRET } from './settings';

type Settings = Readonly<Record<string, string>>;

export interface SharingPadrons {
  readonly first: ProxiedPadron;
  readonly second: RunningPadron;
  readonly proxy: ProxiedPadron['proxy'];
  add(settings?: Settings): Promise<RunningPadron>;
  /** Calls that have reached the service or its replacement. */
  calls(): number;
  stop(): Promise<void>;
}

export async function startSharingPadrons(
  redis: RedisServer,
  settings: Settings = {},
  settingsOfSecond: Settings = {},
): Promise<SharingPadrons> {
  const environment = { REPLAY_SECONDS: '60', REPLAY_URL: redis.url, REPLAY_KEY: LONG_SECRET, ...settings };
  const first = await runPadronBehindProxy(environment);
  const running: RunningPadron[] = [first];
  const add = async (besides: Settings = {}): Promise<RunningPadron> => {
    const registryUrl = () => first.proxy.url;
    const padron = await runPadron({ environment: { ...environment, ...besides }, registryUrl });
    running.push(padron);
    return padron;
  };
  return {
    first,
    second: await add(settingsOfSecond),
    proxy: first.proxy,
    add,
    calls: () => first.proxy.requests.length,
    stop: async () => {
      for (const padron of running) await padron.stop();
    },
  };
}

/** Two such padrons for the tests of a file, and people about whom no test has asked. */
export interface SharingRig {
  readonly redis: RedisServer;
  readonly padrons: SharingPadrons;
  readonly nextPerson: () => string;
}

export function sharingRig(settings: Settings = {}): SharingRig {
  const indebted = people.filter(({ credit }) => credit !== null && credit !== '').map(({ nss }) => nss);
  let used = 0;
  let redis: RedisServer;
  let padrons: SharingPadrons;
  beforeAll(async () => {
    redis = await startRedis();
    padrons = await startSharingPadrons(redis, settings);
  });
  beforeEach(() => padrons.proxy.reset());
  afterAll(async () => {
    redis.resume();
    await padrons.stop();
    await redis.stop();
  });
  return {
    get redis() {
      return redis;
    },
    get padrons() {
      return padrons;
    },
    nextPerson: () => indebted[used++] ?? '',
  };
}

export const storeStates = ({ log }: Pick<RunningPadron, 'log'>): readonly string[] =>
  log.flatMap((line) => /the store of REPLAY_URL is (available|unavailable)/.exec(line)?.[1] ?? []);

/** Returns the names of the questions in the store, answered and in progress. */
export const questionNames = async (redis: RedisServer): Promise<readonly string[]> =>
  (await redis.keys()).filter((name) => /^padron:1:\{(?!check|instances)[^}]+\}:[\w-]{22}$/.test(name));

/** Returns the state of each question: `A` for an answer, `F` for a call in progress. */
export const questionStates = async (redis: RedisServer): Promise<readonly string[]> =>
  Promise.all((await questionNames(redis)).map(async (name) => String(await redis.command('HGET', name, 's'))));

/** Whether an instance waits for the call of another instance. */
export async function isAwaited(redis: RedisServer): Promise<boolean> {
  const waiting = await Promise.all((await questionNames(redis)).map((name) => redis.command('HGET', name, 'w')));
  return waiting.some((instances) => instances !== null && instances !== '');
}

export interface CreditAnswer {
  readonly outcome: string;
  readonly servedFrom: string;
  readonly problems: readonly string[];
  readonly spent: number;
  readonly uncertain: number;
}

const creditQuery =
  'query Credit($nss: NSS) { person(nss: $nss) { credit { outcome problems { code } evidence { servedFrom } } } }';

export async function askCredit(
  padron: Pick<RunningPadron, 'url'>,
  nss: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<CreditAnswer> {
  return toCreditAnswer(await askPriced(padron, { query: creditQuery, variables: { nss } }, headers));
}

function toCreditAnswer({ data, errors = [], units }: PricedAnswer): CreditAnswer {
  const credit = data?.person.credit;
  return {
    outcome: credit?.outcome ?? 'REFUSED',
    servedFrom: credit?.evidence.servedFrom ?? 'NOT_SENT',
    problems: [
      ...errors.map(({ extensions }) => extensions.code),
      ...(credit?.problems ?? []).map(({ code }: { code: string }) => code),
    ],
    spent: units?.spent ?? 0,
    uncertain: units?.uncertain ?? 0,
  };
}

export const answeredLive: CreditAnswer = {
  outcome: 'FOUND',
  servedFrom: 'LIVE',
  problems: [],
  spent: 1,
  uncertain: 0,
};
export const answeredShared: CreditAnswer = { ...answeredLive, servedFrom: 'REPLAY', spent: 0 };
