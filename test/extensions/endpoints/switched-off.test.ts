import { people } from '../../../src/extensions/sandbox/data/people';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { setupOf } from './definitions';

describe('an endpoint file that finds an identifier, without NSS_FINDER', () => {
  const padron = padronForTests(setupOf());

  it('changes neither the price nor the calls of other fields', async () => {
    const query = `{ person(curp: "${people[0]?.curp}") { credit { outcome problems { code } } } }`;
    const { data } = await padron.ask(`{ unitEstimate(input: { operation: ${JSON.stringify(query)} }) { atMost } }`);
    expect(data.unitEstimate.atMost).toBe(0);
    const credit = { outcome: 'NOT_RUN', problems: [{ code: 'MISSING_IDENTIFIER' }] };
    expect((await padron.ask(query)).data).toEqual({ person: { credit } });
    expect(padron.calls()).toEqual([]);
  });
});
