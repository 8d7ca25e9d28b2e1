import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningPadron } from '../../../support/padrons/padron';
import { type ProxiedPadron, runPadronBehindProxy } from '../../../support/padrons/padron-behind-proxy';
import { type SharingPadrons, startSharingPadrons } from '../../../support/padrons/sharing-padrons';
import { waitUntil } from '../../../support/proxies/deferred';
import { waitForDisconnect } from '../../../support/proxies/held-responses';
import { BatchClient } from '../../../support/requests/batches';
import { indebted } from '../../../support/requests/credit-request';
import { askPriced } from '../../../support/requests/money';
import { startForTests } from '../../../support/start-for-tests';
import { bothEngines, type EngineName, engineRig } from '../../../support/stores/engines';
import { callsOf, holdCalls } from '../../answers/operations/operation';

type Headers = Readonly<Record<string, string>>;
type Padron = Pick<RunningPadron, 'url'>;

const payroll = (others: Headers = {}): Headers => ({ 'x-client-name': 'payroll', ...others });
const kiosk = (others: Headers = {}): Headers => ({ 'x-client-name': 'kiosk', 'x-max-age': '0s', ...others });
const within = (age: string): Headers => ({ 'x-max-age': age });

const operation = 'query ($nss: NSS!) { person(nss: $nss) { credit { problems { code } evidence { servedFrom } } } }';

async function ask(padron: Padron, nss: string, headers: Headers, signal?: AbortSignal) {
  const { data, units } = await askPriced(padron, { query: operation, variables: { nss } }, headers, signal);
  const { evidence, problems } = data.person.credit;
  const codes = problems.map(({ code }: { code: string }) => code);
  return { servedFrom: evidence.servedFrom as string, spent: units?.spent, problems: codes as readonly string[] };
}
const askAll = (padron: Padron, persons: readonly string[], headers: Headers) =>
  Promise.all(persons.map((nss) => ask(padron, nss, headers)));
/** Asks again, and returns how many of the answers were neither paid for again nor missed. */
const countFree = async (padron: Padron, persons: readonly string[], headers: Headers): Promise<number> =>
  (await askAll(padron, persons, headers)).filter(
    ({ servedFrom, spent }) => spent === 0 && (servedFrom === 'REPLAY' || servedFrom === 'KEPT'),
  ).length;

interface Askers {
  readonly first: ProxiedPadron;
  readonly second: RunningPadron;
  readonly sharing: SharingPadrons | null;
  nextPersons(count: number): readonly string[];
}

/** Two processes over one PostgreSQL, or a process with an embedded store. */
function askersOn(engine: EngineName, settings: Headers): Askers {
  const rig = engineRig(engine);
  const unasked = indebted.values();
  const nextPersons = (count: number): readonly string[] =>
    Array.from({ length: count }, () => unasked.next().value ?? '');
  const askers = startForTests<Askers>(
    async () => {
      if (engine === 'postgres') {
        const sharing = await startSharingPadrons(rig, settings);
        rig.atEnd(() => sharing.stop());
        return { first: sharing.first, second: sharing.second, sharing, nextPersons };
      }
      const first = await runPadronBehindProxy({ ...(await rig.settings()).environment, ...settings });
      rig.atEnd(() => first.stop());
      return { first, second: first, sharing: null, nextPersons };
    },
    () => undefined,
  );
  beforeEach(() => askers.first.proxy.reset());
  return askers;
}

describe.each(bothEngines)('answers that an account has paid for, on the %s engine', (engine) => {
  const askers = askersOn(engine, { REPLAY_SECONDS: '60', REUSE_DAYS: '30' });
  const buy = async (count: number): Promise<readonly string[]> => {
    const persons = askers.nextPersons(count);
    const bought = await askAll(askers.first, persons, payroll());
    expect(bought.map(({ servedFrom }) => servedFrom)).toEqual(persons.map(() => 'LIVE'));
    return persons;
  };
  /** No question is paid for again by those who use replays, in each process. */
  const expectKept = async (persons: readonly string[]): Promise<void> => {
    askers.first.proxy.reset();
    for (const padron of [askers.second, askers.first])
      expect(await countFree(padron, persons, payroll())).toBe(persons.length);
  };

  it('stay if another client asks again and leaves', async () => {
    const persons = await buy(40);
    await Promise.all(
      persons.map(async (nss, index) => {
        const client = new AbortController();
        const asked = ask(askers.first, nss, kiosk(), client.signal).catch(() => null);
        await sleep(3 + (index % 12) * 2);
        client.abort();
        await asked;
      }),
    );
    await waitForDisconnect(askers.first.url);
    await expectKept(persons);
  });

  it.each([
    ['0s', {}],
    ['1s', {}],
    ['0s, in an operation', { 'x-operation-id': 'anew' }],
  ] as const)('stay if another client asks again, and the registry fails: %s', async (age, headers) => {
    // More failures would pause the registry.
    const persons = await buy(3);
    await sleep(1_000);
    askers.first.proxy.standIn(() => ({ status: 503, json: {} }));
    const failed = await askAll(askers.first, persons, kiosk({ 'x-max-age': age.slice(0, 2), ...headers }));
    expect(failed.map(({ servedFrom, problems }) => [servedFrom, problems[0]])).toEqual(
      persons.map(() => ['LIVE', 'REGISTRY_ERROR']),
    );
    await expectKept(persons);
  });

  it('stay if another client asks again, and its response is due before its calls are sent', async () => {
    const persons = await buy(20);
    for (let index = 0; index < persons.length; index += 4)
      await askAll(askers.first, persons.slice(index, index + 4), kiosk({ 'x-answer-within': '12ms' }));
    await expectKept(persons);
  });

  it('are used at once while another client asks again and the registry hangs', async () => {
    const persons = await buy(3);
    const held = holdCalls(askers.first.proxy);
    const again = askAll(askers.first, persons, kiosk());
    await held.arrived(persons.length);
    for (const padron of [askers.second, askers.first])
      expect(await countFree(padron, persons, payroll())).toBe(persons.length);
    held.release({ status: 503, json: {} });
    expect((await again).every(({ problems }) => problems[0] === 'REGISTRY_ERROR')).toBe(true);
    await expectKept(persons);
  });

  it('stay if the answer to a newer call is about somebody else', async () => {
    const persons = await buy(3);
    const stranger = indebted.at(-1) ?? '';
    askers.first.proxy.tamper(({ json }) => {
      const text = JSON.stringify(json);
      return { json: JSON.parse(persons.reduce((changed, nss) => changed.replaceAll(nss, stranger), text)) };
    });
    const mismatches = await askAll(askers.first, persons, kiosk());
    expect(mismatches.map(({ problems }) => problems)).toEqual(persons.map(() => ['ANSWER_MISMATCH']));
    await expectKept(persons);
  });

  it('are replaced by a newer answer', async () => {
    const persons = await buy(3);
    expect((await askAll(askers.first, persons, kiosk())).map(({ spent }) => spent)).toEqual([1, 1, 1]);
    await expectKept(persons);
  });

  if (engine === 'postgres')
    it.each(['LOST', 'POISONED'] as const)(
      'stay if the process of another client dies while it asks again: %s',
      async (state) => {
        const persons = await buy(5);
        const held = holdCalls(askers.first.proxy);
        const again = askAll(askers.first, persons, kiosk()).catch(() => null);
        await held.arrived(persons.length);
        const expires = state === 'LOST' ? '' : `, expires_at = now() + interval '1 minute'`;
        await askers.sharing?.query(`UPDATE calls SET state = '${state}'${expires} WHERE state = 'OPEN'`);
        expect(await countFree(askers.second, persons, payroll())).toBe(persons.length);
        held.release();
        await again;
        await expectKept(persons);
      },
    );

  if (engine === 'postgres')
    it('stay if a process with REPLAY_SECONDS=0 asks again', async () => {
      const persons = await buy(5);
      const unreplaying = await askers.sharing?.add({ REPLAY_SECONDS: '0' });
      if (unreplaying === undefined) throw new Error('There is a PostgreSQL.');
      expect((await askAll(unreplaying, persons, kiosk())).map(({ spent }) => spent)).toEqual([1, 1, 1, 1, 1]);
      await unreplaying.stop();
      await expectKept(persons);
    });
});

describe.each(bothEngines)('answers that are kept for later requests, on the %s engine', (engine) => {
  const askers = askersOn(engine, { REPLAY_SECONDS: '0', REUSE_DAYS: '30', REGISTRY_TIMEOUT_MS: '60000' });
  const keep = async (count: number): Promise<readonly string[]> => {
    const persons = askers.nextPersons(count);
    await askAll(askers.first, persons, payroll(within('30d')));
    await waitUntil(async () => (await countFree(askers.second, persons, payroll(within('30d')))) === count);
    askers.first.proxy.reset();
    return persons;
  };

  it('are used at once by requests and rows while another client asks again and the registry hangs, and after it has failed', async () => {
    const persons = await keep(3);
    const held = holdCalls(askers.first.proxy);
    const again = askAll(askers.first, persons, kiosk());
    await held.arrived(persons.length);
    for (const padron of [askers.first, askers.second])
      expect(await countFree(padron, persons, payroll(within('30d')))).toBe(persons.length);
    const client = new BatchClient(askers.second);
    const { batch } = await client.create({ operation, rows: persons.map((nss) => ({ nss })), maxAge: '30d' });
    await client.until(batch.id, 'READY');
    await client.change(`startRegistryBatch(id: "${batch.id}", maxUnits: 3)`);
    const { progress } = await client.until(batch.id, 'DONE');
    expect(progress).toMatchObject({ done: 3, unknown: 0, spentUnits: 0, uncertainUnits: 0, savedUnits: 3 });
    held.release({ status: 503, json: {} });
    expect((await again).every(({ problems }) => problems[0] === 'REGISTRY_ERROR')).toBe(true);
    for (const padron of [askers.first, askers.second])
      expect(await countFree(padron, persons, payroll(within('30d')))).toBe(persons.length);
    expect(callsOf(askers.first.proxy)).toBe(persons.length);
  });
});
