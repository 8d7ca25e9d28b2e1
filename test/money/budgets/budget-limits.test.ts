import { people } from '../../../src/extensions/sandbox/data/people';
import { DATA_KEY, insertBudget } from '../../support/padrons/budgets';
import { type PreparedPadron, preparePadron } from '../../support/padrons/ledger';
import type { GraphqlAnswer, RunningPadron, Setup } from '../../support/padrons/padron';
import { sandboxForEachTest } from '../../support/sandbox/sandbox-for-tests';
import { engineRig, engines } from '../../support/stores/engines';

const query = `query Budget($nss: NSS!) {
  person(nss: $nss) { credit { outcome problems { code message retryable retryAfter } } }
}`;
const numbers = people.map(({ nss }) => nss);

describe.each(engines)('a budget over time on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const service = sandboxForEachTest();

  const prepare = (): Promise<PreparedPadron> => preparePadron(rig, { DATA_KEYS: DATA_KEY });
  const start = (prepared: PreparedPadron, setup: Setup = {}) =>
    prepared.start({ ...setup, registryUrl: () => service.url });
  const ask = (padron: RunningPadron, nss: string, headers = {}) => padron.ask(query, { nss }, headers);
  const refusals = (answers: readonly GraphqlAnswer[]) =>
    answers.filter(({ data }) => data.person.credit.problems[0]?.code === 'BUDGET_EXHAUSTED').length;

  it.each([
    [
      { units: 0, client: 'payroll' },
      'the budget of 0 units a day for the client payroll has 0 left',
      'del presupuesto de 0 unidades por día del cliente payroll quedan 0',
    ],
    [
      { units: 0, tag: 'Nómina', period: 'MONTH' },
      'the budget of 0 units a month for the tag Nómina has 0 left',
      'del presupuesto de 0 unidades por mes de la etiqueta Nómina quedan 0',
    ],
    [
      { units: 0, client: 'payroll', tag: 'Nómina' },
      'the budget of 0 units a day for the client payroll and the tag Nómina has 0 left',
      'del presupuesto de 0 unidades por día del cliente payroll y de la etiqueta Nómina quedan 0',
    ],
    [
      { units: 1 },
      'the budget of 1 unit a day for the account has 0 left',
      'del presupuesto de 1 unidad por día de la cuenta quedan 0',
    ],
  ] as const)('is named in the message in English and Spanish: %j', async (budget, english, spanish) => {
    const prepared = await prepare();
    await insertBudget(prepared, service.url, budget);
    const padron = await start(prepared);
    const headers = { 'x-client-name': 'payroll', 'x-tag': Buffer.from('Nómina').toString('latin1') };
    if (budget.units > 0) await ask(padron, numbers[0] ?? '', headers);
    const messageIn = async (language: string): Promise<string> =>
      (await ask(padron, numbers[1] ?? '', { ...headers, 'accept-language': language })).data.person.credit.problems[0]
        ?.message;
    expect(await messageIn('en')).toContain(`No call was made: ${english}, and this call costs 1.`);
    expect(await messageIn('es-MX')).toContain(`No se consultó: ${spanish}, y esto cuesta 1.`);
    await padron.stop();
  });

  it('resets at midnight of the time zone', async () => {
    let moment = new Date('2026-11-23T05:59:00Z');
    const prepared = await prepare();
    await insertBudget(prepared, service.url, { units: 1 });
    const padron = await start(prepared, { now: () => moment });
    const refused = [];
    for (const [index, time] of ['05:59:10', '05:59:20', '06:00:00', '06:00:01'].entries()) {
      moment = new Date(`2026-11-23T${time}Z`);
      refused.push(refusals([await ask(padron, numbers[index] ?? '')]));
    }
    expect(refused).toEqual([0, 1, 0, 1]);
    await padron.stop();
  });
});
