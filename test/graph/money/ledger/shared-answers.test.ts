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

  it.each([
    ['live', {}, 'LIVE', 'REPLAY', 1],
    // Evidence in sandbox mode always says SANDBOX, also if the answer is shared.
    ['the sandbox mode', { 'x-sandbox': 'true' }, 'SANDBOX', 'SANDBOX', 0],
  ])('is not counted as a call: %s', async (_mode, headers, servedFirst, servedAgain, price) => {
    const answers = [];
    for (let turn = 0; turn < 2; turn += 1)
      answers.push((await padron.ask(check, {}, headers)).data.person.credit.evidence);
    expect(padron.calls()).toEqual([CREDIT]);
    expect(answers.map(({ servedFrom, units }) => [servedFrom, units])).toEqual([
      [servedFirst, price],
      [servedAgain, 0],
    ]);
    const { data } = await padron.ask(read, {}, headers);
    expect(data.registrySpend).toEqual([{ calls: 1, units: price, savedUnits: price }]);
    const entry = (servedFrom: string, units: number, billing: string) => {
      return { endpoint: CREDIT, servedFrom, units, billing };
    };
    expect(data.registryLedger.entries).toEqual([
      { id: answers[1].ledgerId, evidence: entry('REPLAY', 0, 'NOT_CHARGED') },
      { id: answers[0].ledgerId, evidence: entry(servedFirst, price, price === 0 ? 'NOT_CHARGED' : 'CHARGED') },
    ]);
  });
});
