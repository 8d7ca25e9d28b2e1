import { Client } from 'pg';
import { check, creditOf, indebted, newOperation } from '../../../money/answers/operations/operation';
import type { RunningPadron } from '../../../support/padrons/padron';
import type { ProxiedPadron } from '../../../support/padrons/padron-behind-proxy';
import { type SharingPadrons, startSharingPadrons } from '../../../support/padrons/sharing-padrons';
import { waitUntil } from '../../../support/proxies/deferred';
import { holdResponses } from '../../../support/proxies/held-responses';
import { BatchClient } from '../../../support/requests/batches';
import { askPriced, type Request } from '../../../support/requests/money';
import { ownServerRig } from '../../../support/stores/engines';

type Headers = Readonly<Record<string, string>>;

/** A person for each kind of answer that a price counts as free. */
const [replayed = '', aged = '', kept = '', early = '', ofBatch = '', nobody = ''] = indebted;
const people = { replayed, aged, kept, early, ofBatch };
const operation = newOperation();

/** Each header and setting that decides which answers a price may use. */
const settings: Readonly<Record<string, Headers>> = {
  plain: {},
  'REPLAY_SECONDS=0': { REPLAY_SECONDS: '0' },
  'PURPOSE=required': { PURPOSES: 'hiring', PURPOSE: 'required' },
};
const dryRun = { 'x-dry-run': 'true' };
const thirtyDays = { 'x-max-age': '30d' };
const headers: Readonly<Record<string, Headers>> = {
  'x-dry-run': dryRun,
  'x-dry-run, x-max-age': { ...dryRun, ...thirtyDays },
  'x-dry-run, x-max-age: 0s': { ...dryRun, 'x-max-age': '0s' },
  'x-dry-run, x-operation-id': { ...dryRun, ...operation.later },
  'x-dry-run, x-operation-keep': { ...dryRun, ...operation.begin },
  'x-dry-run, x-max-age, x-operation-id': { ...dryRun, ...operation.later, ...thirtyDays },
  'x-dry-run, x-max-age, x-answer-within': { ...dryRun, ...thirtyDays, 'x-answer-within': '1s' },
  'x-max-units': { 'x-max-units': '0' },
  'x-max-units, x-max-age': { 'x-max-units': '0', ...thirtyDays },
  'x-max-units, x-operation-id': { 'x-max-units': '0', ...operation.later },
};

const unitEstimate = (nss: string): Request => ({
  query:
    'query ($input: UnitEstimateInput!) { unitEstimate(input: $input) { estimatedUnits atMost bounded problems { code } } }',
  variables: { input: { operation: creditOf(nss).query, rows: [{ nss }] } },
});

interface Priced {
  /** Null if the price is unknown. */
  readonly units: number | null;
  readonly problems: readonly string[];
}

async function priceOf(padron: RunningPadron, request: Request, sent: Headers): Promise<Priced> {
  const { data, errors = [], estimate: own, units } = await askPriced(padron, request, sent);
  const estimate = own ?? data?.unitEstimate ?? errors[0]?.extensions.estimate;
  if (estimate === undefined) return { units: errors.length > 0 ? null : (units?.spent ?? null), problems: [] };
  expect(estimate).toMatchObject({ bounded: true, atMost: estimate.estimatedUnits });
  return { units: estimate.estimatedUnits, problems: estimate.problems.map(({ code }: { code: string }) => code) };
}

describe('a price that kept answers could lower', () => {
  const rig = ownServerRig();
  let padrons: SharingPadrons;
  let paidCalls = 0;
  let before: Awaited<ReturnType<typeof priceAll>>;
  const pricers: [name: string, padron: RunningPadron][] = [];

  const buy = async (padron: ProxiedPadron): Promise<void> => {
    const expectPaid = async (nss: string, sent: Headers): Promise<void> =>
      expect(await check(padron, nss, sent)).toMatchObject({ servedFrom: 'LIVE', spent: 1 });
    await expectPaid(replayed, {});
    await expectPaid(aged, thirtyDays);
    await expectPaid(kept, operation.begin);
    const held = holdResponses(padron.proxy);
    expect(await check(padron, early, { 'x-answer-within': '2s' })).toMatchObject({ uncertain: 1 });
    held.release();
    padron.proxy.reset();
    const batches = new BatchClient(padron);
    const { batch } = await batches.create({ operation: creditOf('').query, rows: [{ nss: ofBatch }], maxAge: '30d' });
    expect(await batches.run(batch.id)).toMatchObject({ state: 'DONE', progress: { spentUnits: 1 } });
    const answers = "SELECT FROM answers WHERE rule = 'ACCOUNT'";
    await waitUntil(async () => (await padrons.query(answers)).length === 5);
  };

  /** The prices by setting, header and kind. */
  const priceAll = async (): Promise<ReadonlyMap<string, Priced>> => {
    const asked = pricers.flatMap(([setting, padron]) =>
      Object.entries(people).flatMap(([kind, nss]) => [
        ...Object.entries(headers).map(
          ([name, sent]) => [`${setting}, ${name}, ${kind}`, padron, creditOf(nss), sent] as const,
        ),
        [`${setting}, unitEstimate, ${kind}`, padron, unitEstimate(nss), {}] as const,
        [`${setting}, unitEstimate with x-max-age, ${kind}`, padron, unitEstimate(nss), thirtyDays] as const,
      ]),
    );
    return new Map(
      await Promise.all(
        asked.map(async ([name, padron, request, sent]) => [name, await priceOf(padron, request, sent)] as const),
      ),
    );
  };

  beforeAll(async () => {
    padrons = await startSharingPadrons(rig, { REUSE_DAYS: '30', REPLAY_SECONDS: '300', REGISTRY_TIMEOUT_MS: '10000' });
    rig.atEnd(() => padrons.stop());
    await buy(padrons.first);
    paidCalls = padrons.calls();
    for (const [name, setting] of Object.entries(settings)) pricers.push([name, await padrons.add(setting)]);
    before = await priceAll();
  });

  /** Prices while the store fails. Each is at least that of before, and never depends on what could not be looked up. */
  const priceDuring = async (fail: () => unknown, end: () => unknown): Promise<void> => {
    await fail();
    const during = await priceAll().finally(end);
    const lower = [...during].filter(([name, { units }]) => units !== null && units < (before.get(name)?.units ?? 0));
    expect(lower).toEqual([]);
    // What was free because of a look into the store has its full price, and a reason.
    const unexplained = [...during].filter(([name, { units, problems }]) => {
      const wasFree = before.get(name)?.units === 0;
      return wasFree && units !== 0 && units !== null && String(problems) !== 'LEDGER_UNAVAILABLE';
    });
    expect(unexplained).toEqual([]);
    const freeByAge = [...before].filter(([name, { units }]) => units === 0 && name.includes('x-dry-run, x-max-age'));
    expect(freeByAge.length).toBeGreaterThan(0);
    for (const [name] of freeByAge)
      expect([name, during.get(name)]).toEqual([name, { units: 1, problems: ['LEDGER_UNAVAILABLE'] }]);
    expect(padrons.calls()).toBe(paidCalls);
  };

  it('is not lowered by a store whose tables are locked', async () => {
    const client = new Client({ connectionString: padrons.settings().DATABASE_URL });
    await client.connect();
    await priceDuring(
      () => client.query('BEGIN; LOCK TABLE operation_calls, operation_names, answers, calls IN ACCESS EXCLUSIVE MODE'),
      () => client.end(),
    );
  });

  it('is not lowered by a store that hangs', () =>
    priceDuring(
      () => rig.cluster.freeze(),
      () => rig.cluster.thaw(),
    ));

  it('is not lowered by a store that is unavailable', () =>
    priceDuring(
      () => rig.cluster.kill(),
      () => rig.cluster.start(),
    ));

  it('is unknown if a kept answer cannot be read, and nothing runs', async () => {
    const spoiled = newOperation();
    expect(await check(padrons.first, nobody, spoiled.begin)).toMatchObject({ spent: 1 });
    await waitUntil(async () => (await padrons.query('SELECT FROM operation_calls')).length === 0);
    await padrons.query(`UPDATE answer_contents SET sealed = '\\x00'`);
    paidCalls = padrons.calls();
    const unknown = { code: 'INTERNAL_SERVER_ERROR' };
    for (const sent of [dryRun, { 'x-max-units': '9' }, {}]) {
      const request = 'x-max-units' in sent || sent === dryRun ? creditOf(nobody) : unitEstimate(nobody);
      const { data, errors, estimate } = await askPriced(padrons.first, request, { ...spoiled.later, ...sent });
      expect([data?.unitEstimate ?? null, estimate]).toEqual([null, undefined]);
      expect(errors).toMatchObject([{ extensions: unknown }]);
    }
    expect(padrons.calls()).toBe(paidCalls);
  });
});
