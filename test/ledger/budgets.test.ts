import { people } from '../../src/sandbox/data/people';
import { DATA_KEY, giveBudget } from '../support/padrons/budgets';
import { type KeptPadron, keptPadron } from '../support/padrons/ledger';
import type { GraphqlAnswer, RunningPadron, Setup } from '../support/padrons/padron';
import { sandboxForEachTest } from '../support/sandbox/sandbox-for-tests';
import { engineRig, engines } from '../support/stores/engines';

const query = `query Budget($nss: NSS!) {
  person(nss: $nss) { credit { outcome problems { code message retryable retryAfter } } }
}`;
const everybody = people.map(({ nss }) => nss);

describe.each(engines)('a budget over time on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const service = sandboxForEachTest();

  const keep = (): Promise<KeptPadron> => keptPadron(rig, { DATA_KEYS: DATA_KEY });
  const start = (kept: KeptPadron, setup: Setup = {}) => kept.start({ ...setup, registryUrl: () => service.url });
  const ask = (padron: RunningPadron, nss: string, headers = {}) => padron.ask(query, { nss }, headers);
  const refusals = (answers: readonly GraphqlAnswer[]) =>
    answers.filter(({ data }) => data.person.credit.problems[0]?.code === 'BUDGET_EXHAUSTED').length;

  it('refuses what is above it before anything is asked, and says what is left and when it resets', async () => {
    const kept = await keep();
    await giveBudget(kept, service.url, { units: 3 });
    const now = (): Date => new Date('2026-11-22T18:00:00Z');
    const padron = await start(kept, { now });
    for (const nss of everybody.slice(0, 3)) expect(refusals([await ask(padron, nss)])).toBe(0);
    const { data } = await ask(padron, everybody[3] ?? '');
    expect(data.person.credit).toEqual({
      outcome: 'NOT_RUN',
      problems: [
        {
          code: 'BUDGET_EXHAUSTED',
          message:
            'No call was made: of the budget of 3 units a day for the account, 0 are left, and this costs 1. It resets at 2026-11-23T06:00:00.000Z.',
          retryable: true,
          retryAfter: 43_200,
        },
      ],
    });
    expect(service.calls).toHaveLength(3);
    await padron.stop();
    expect(await kept.rows()).toHaveLength(3);
  });

  it.each([
    [
      { units: 0, client: 'payroll' },
      'of the budget of 0 units a day for the client payroll, 0 are left',
      'del presupuesto de 0 unidades por día del cliente payroll quedan 0',
    ],
    [
      { units: 0, tag: 'Nómina', period: 'MONTH' },
      'of the budget of 0 units a month for the tag Nómina, 0 are left',
      'del presupuesto de 0 unidades por mes de la etiqueta Nómina quedan 0',
    ],
    [
      { units: 0, client: 'payroll', tag: 'Nómina' },
      'of the budget of 0 units a day for the client payroll and the tag Nómina, 0 are left',
      'del presupuesto de 0 unidades por día del cliente payroll y de la etiqueta Nómina quedan 0',
    ],
    [
      { units: 1 },
      'of the budget of 1 unit a day for the account, 0 are left',
      'del presupuesto de 1 unidad por día de la cuenta quedan 0',
    ],
  ] as const)('says whose it is, in both languages: %j', async (budget, english, spanish) => {
    const kept = await keep();
    await giveBudget(kept, service.url, budget);
    const padron = await start(kept);
    const headers = { 'x-client-name': 'payroll', 'x-tag': Buffer.from('Nómina').toString('latin1') };
    if (budget.units > 0) await ask(padron, everybody[0] ?? '', headers);
    const said = async (language: string): Promise<string> =>
      (await ask(padron, everybody[1] ?? '', { ...headers, 'accept-language': language })).data.person.credit
        .problems[0]?.message;
    expect(await said('en')).toContain(`No call was made: ${english}, and this costs 1.`);
    expect(await said('es-MX')).toContain(`No se consultó: ${spanish}, y esto cuesta 1.`);
    await padron.stop();
  });

  it('bounds those whom it is for, and nobody else', async () => {
    const kept = await keep();
    await giveBudget(kept, service.url, { units: 1, client: 'payroll' });
    await giveBudget(kept, service.url, { units: 2, tag: 'hiring', period: 'MONTH' });
    const padron = await start(kept);
    const payroll = { 'x-client-name': 'payroll' };
    const hiring = { 'x-client-name': 'kyc', 'x-tag': 'hiring' };
    const asked = [payroll, payroll, hiring, hiring, hiring, {}, {}, { 'x-client-name': 'kyc' }];
    const refused = [];
    for (const [index, headers] of asked.entries()) {
      refused.push(refusals([await ask(padron, everybody[index] ?? '', headers)]));
    }
    expect(refused).toEqual([0, 1, 0, 0, 1, 0, 0, 0]);
    await padron.stop();
  });

  it('holds for calls at the same time, and after a restart', async () => {
    const kept = await keep();
    await giveBudget(kept, service.url, { units: 17 });
    const first = await start(kept);
    const answers = await Promise.all(everybody.slice(0, 10).map((nss) => ask(first, nss)));
    expect(refusals(answers)).toBe(0);
    await first.stop();
    const second = await start(kept);
    const more = await Promise.all(everybody.slice(10, 40).map((nss) => ask(second, nss)));
    expect(refusals(more)).toBe(23);
    expect(service.calls).toHaveLength(17);
    await second.stop();
  });

  it('begins anew with the day', async () => {
    let moment = new Date('2026-11-23T05:59:00Z');
    const kept = await keep();
    await giveBudget(kept, service.url, { units: 1 });
    const padron = await start(kept, { now: () => moment });
    const refused = [];
    for (const [index, time] of ['05:59:10', '05:59:20', '06:00:00', '06:00:01'].entries()) {
      moment = new Date(`2026-11-23T${time}Z`);
      refused.push(refusals([await ask(padron, everybody[index] ?? '')]));
    }
    expect(refused).toEqual([0, 1, 0, 1]);
    await padron.stop();
  });

  it('takes in what was entered before it was set', async () => {
    const kept = await keep();
    const first = await start(kept);
    for (const nss of everybody.slice(0, 4)) await ask(first, nss);
    await first.stop();
    await giveBudget(kept, service.url, { units: 5 });
    const second = await start(kept);
    const answers = [await ask(second, everybody[4] ?? ''), await ask(second, everybody[5] ?? '')];
    expect(answers.map((answer) => refusals([answer]))).toEqual([0, 1]);
    await second.stop();
  });
});
