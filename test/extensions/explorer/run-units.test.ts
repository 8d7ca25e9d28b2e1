import type { UnitUsage } from '../../../schema/client/units';
import { addUsage } from '../../../src/extensions/explorer/page/requests/run-units';
import { employers } from '../../../src/extensions/sandbox/data/employers';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { preparePadron } from '../../support/padrons/ledger';
import { holdResponses } from '../../support/proxies/held-responses';
import { startProxy, type TamperingProxy } from '../../support/proxies/tampering-proxy';
import { askPriced } from '../../support/requests/money';
import { card } from '../../support/sandbox/cards';
import { engineRig } from '../../support/stores/engines';

const query = `query Credits($found: NSS, $session: NSS, $forbidden: NSS, $error: NSS) {
  found: person(nss: $found) { credit { ...Outcome } }
  session: person(nss: $session) { credit { ...Outcome } }
  forbidden: person(nss: $forbidden) { credit { ...Outcome } }
  error: person(nss: $error) { credit { ...Outcome } }
}
fragment Outcome on HousingCreditLookup { outcome problems { code } }`;
const variables = {
  found: findOrThrow(people, ({ credit }) => Boolean(credit)).nss,
  session: card('IMSS_SESSION_EXPIRED', 'nss'),
  forbidden: card('forbidden', 'nss'),
  error: card('server-error', 'nss'),
};
const receipts = `query Receipts($registration: EmployerRegistration!) {
  employer(registration: $registration) { receiptsBetween(from: "2025-01", to: "2025-03") { outcome problems { code } } }
}`;
/** Time enough to open and send calls on a busy machine. */
const soon = { 'x-answer-within': '2s' };

const unitsOf = ({ units }: { readonly units: unknown }): UnitUsage => units as UnitUsage;

describe('the units of a run whose operation is sent again for late answers', () => {
  const rig = engineRig();
  let proxy: TamperingProxy;
  let target = '';
  beforeAll(async () => {
    proxy = await startProxy(() => target);
  });
  afterAll(() => proxy.close());

  async function start() {
    const prepared = await preparePadron(rig, { REPLAY_SECONDS: '60' });
    const padron = await prepared.start({
      registryUrl: ({ url }) => {
        target = url;
        return proxy.url;
      },
    });
    return { prepared, padron };
  }

  it('are those of the ledger: a call that failed free of charge is not spent, and one that failed otherwise is uncertain', async () => {
    const { prepared, padron } = await start();
    const held = holdResponses(proxy);
    const first = unitsOf(await askPriced(padron, { query, variables }, soon));
    expect(first).toMatchObject({ spent: 0, uncertain: 4 });
    const during = unitsOf(await askPriced(padron, { query, variables }, soon));
    const waiting = addUsage(first, during, 1_000);
    expect(waiting).toMatchObject({ spent: 0, uncertain: 4 });
    held.release();
    const merged = addUsage(waiting, unitsOf(await askPriced(padron, { query, variables })), 2_000);
    await padron.stop();

    const rows = (await prepared.rows()).filter(({ served_from }) => served_from === 'LIVE');
    const uncertain = rows.filter(({ billing }) => billing === 'UNKNOWN').map(({ price }) => price);
    expect([rows.length, rows.reduce((sum, { units }) => sum + units, 0), uncertain]).toEqual([4, 1, [1]]);
    expect(merged).toMatchObject({ spent: 1, uncertain: 1 });
    const byField = [...(merged?.calls ?? [])].sort((left, right) =>
      String(left.path).localeCompare(String(right.path)),
    );
    expect(byField).toMatchObject([
      { path: ['error', 'credit'], outcome: 'UNAVAILABLE', units: 0, uncertain: 1 },
      { path: ['forbidden', 'credit'], outcome: 'NOT_PERMITTED', units: 0, uncertain: 0 },
      { path: ['found', 'credit'], outcome: 'FOUND', units: 1, uncertain: 0, servedFrom: 'LIVE' },
      { path: ['session', 'credit'], outcome: 'UNAVAILABLE', units: 0, uncertain: 0 },
    ]);
  });

  it('count the one late answer of a list once', async () => {
    const { padron } = await start();
    const { registration } = findOrThrow(employers, ({ owes }) => !owes);
    const request = { query: receipts, variables: { registration } };
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let arrived = 0;
    proxy.tamper(async () => {
      arrived += 1;
      if (arrived === 3) await released;
      return null;
    });
    const first = unitsOf(await askPriced(padron, request, soon));
    expect(first).toMatchObject({ spent: 2, uncertain: 1 });
    const waiting = addUsage(first, unitsOf(await askPriced(padron, request, soon)), 1_000);
    expect(waiting).toMatchObject({ spent: 2, uncertain: 1 });
    release();
    const merged = addUsage(waiting, unitsOf(await askPriced(padron, request)), 2_000);
    expect(merged).toMatchObject({ spent: 3, uncertain: 0 });
    expect(merged?.calls.map(({ outcome, units }) => [outcome, units])).toEqual([
      ['FOUND', 1],
      ['FOUND', 1],
      ['FOUND', 1],
    ]);
    expect(padron.spent()).toBe(3);
  });
});
