import fc from 'fast-check';
import { NOW } from '../../../support/operations/employer-graph';
import { anyOperations } from '../../../support/operations/paid-operations';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { engineRig, engines } from '../../../support/stores/engines';

const settings: fc.Parameters<unknown> = { seed: 20_261_122, numRuns: 40, endOnFailure: true };

// Dozens of requests take long on a busy machine.
jest.setTimeout(60_000);

describe.each(engines)('the sum of the ledger on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const padron = ledgerPadronForTests(rig, { REPLAY_SECONDS: '30' }, { now: () => NOW });

  const none = { calls: 0, units: 0, uncertainUnits: 0 };
  const sum = async (): Promise<typeof none> =>
    (await padron.ask('{ registrySpend(by: []) { calls units uncertainUnits } }')).data.registrySpend[0] ?? none;

  it("is at most the service's own sum, differs from it by uncertain units at most, and equals it once all calls are settled", async () => {
    let uncertain = 0;
    await fc.assert(
      fc.asyncProperty(anyOperations, async ({ text }) => {
        await padron.ask(text);
        const { units, uncertainUnits, calls } = await sum();
        expect(padron.spent()).toBeGreaterThanOrEqual(units);
        expect(padron.spent()).toBeLessThanOrEqual(units + uncertainUnits);
        // Downloads by link are free and need no token. Calls that the service answered with 429 are retried.
        const paidCalls = padron
          .callsInFull()
          .filter(({ endpoint, status }) => !endpoint.startsWith('GET /archivos') && status !== 429);
        expect(calls).toBeLessThanOrEqual(padron.callsInFull().length);
        expect(calls).toBeGreaterThanOrEqual(paidCalls.length);
        uncertain = Math.max(uncertain, uncertainUnits);
      }),
      settings,
    );
    expect(uncertain).toBeGreaterThan(0);
    await settleByTheStatement();
    expect(await sum()).toMatchObject({ units: padron.spent(), uncertainUnits: 0 });
  });

  /** Settles uncertain calls like the finance team: the units that the service charged beyond the sum of an endpoint are theirs. */
  async function settleByTheStatement(): Promise<void> {
    const unsettledUnits = new Map<string, number>();
    for (const { endpoint, units } of padron.callsInFull())
      unsettledUnits.set(endpoint, (unsettledUnits.get(endpoint) ?? 0) + units);
    const query =
      '{ registrySpend(by: [ENDPOINT]) { endpoint units } registryLedger(filter: { unsettled: true }, first: 1000) { entries { id uncertainUnits evidence { endpoint } } } }';
    const { data } = await padron.ask(query);
    for (const { endpoint, units } of data.registrySpend)
      unsettledUnits.set(endpoint, (unsettledUnits.get(endpoint) ?? 0) - units);
    const input = data.registryLedger.entries.map(({ id, uncertainUnits, evidence }: Unsettled) => {
      const rest = unsettledUnits.get(evidence.endpoint) ?? 0;
      unsettledUnits.set(evidence.endpoint, Math.max(0, rest - uncertainUnits));
      return { id, billing: rest >= uncertainUnits && uncertainUnits > 0 ? 'CHARGED' : 'NOT_CHARGED' };
    });
    const { errors } = await padron.ask(
      'mutation ($input: [RegistryBillingInput!]!) { settleRegistryBilling(input: $input) { id } }',
      { input },
    );
    expect(errors).toBeUndefined();
    expect([...unsettledUnits.values()].filter((rest) => rest !== 0)).toEqual([]);
  }
});

interface Unsettled {
  readonly id: string;
  readonly uncertainUnits: number;
  readonly evidence: { readonly endpoint: string };
}
