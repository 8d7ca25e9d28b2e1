import { people } from '../../../../src/sandbox/data/people';
import { findOrThrow } from '../../../support/find-or-throw';
import { CREDIT } from '../../../support/operations/people-endpoints';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { engineRig, engines } from '../../../support/stores/engines';

const { nss } = findOrThrow(people, ({ credit }) => credit !== null && credit !== '');
const check = `{ person(nss: "${nss}") { credit { outcome evidence { servedFrom units ledgerId } } } }`;
const read = `{ registrySpend { calls units savedUnits }
  registryLedger { entries { id evidence { endpoint servedFrom units billing } } } }`;

describe.each(engines)('a shared answer in the ledger on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const padron = ledgerPadronForTests(rig, { REPLAY_SECONDS: '60' });

  it('is not counted as a call', async () => {
    const answers = [];
    for (let turn = 0; turn < 2; turn += 1) answers.push((await padron.ask(check)).data.person.credit.evidence);
    expect(padron.calls()).toEqual([CREDIT]);
    expect(answers.map(({ servedFrom, units }) => [servedFrom, units])).toEqual([
      ['LIVE', 1],
      ['REPLAY', 0],
    ]);
    const { data } = await padron.ask(read);
    expect(data.registrySpend).toEqual([{ calls: 1, units: 1, savedUnits: 1 }]);
    const entry = (servedFrom: string, units: number, billing: string) => {
      return { endpoint: CREDIT, servedFrom, units, billing };
    };
    expect(data.registryLedger.entries).toEqual([
      { id: answers[1].ledgerId, evidence: entry('REPLAY', 0, 'NOT_CHARGED') },
      { id: answers[0].ledgerId, evidence: entry('LIVE', 1, 'CHARGED') },
    ]);
  });

  it('is not kept in sandbox mode, so each question is a call, which saves nothing', async () => {
    const sandbox = { 'x-sandbox': 'true' };
    for (let turn = 0; turn < 2; turn += 1) await padron.ask(check, {}, sandbox);
    expect(padron.calls()).toEqual([CREDIT, CREDIT]);
    const { data } = await padron.ask(read, {}, sandbox);
    expect(data.registrySpend).toEqual([{ calls: 2, units: 0, savedUnits: 0 }]);
    expect(data.registryLedger.entries).toMatchObject(Array(2).fill({ evidence: { servedFrom: 'SANDBOX', units: 0 } }));
  });
});
