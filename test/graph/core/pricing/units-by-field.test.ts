import type { UnitCall } from '../../../../schema/client/units';
import { payer } from '../../../support/operations/employer-graph';
import { CREDIT, IDENTITY } from '../../../support/operations/people-endpoints';
import { somebody } from '../../../support/operations/people-fields';
import { type RunningPadron, runPadron } from '../../../support/padrons/padron';
import { askPriced, nothingSpent } from '../../../support/requests/money';

const toPairs = (calls: readonly UnitCall[]) =>
  calls.map(({ path, endpoint }) => [path.join('.'), endpoint] as const).sort();

describe('the calls of a request', () => {
  let padron: RunningPadron;
  beforeEach(async () => {
    padron = await runPadron();
  });
  afterEach(() => padron.stop());

  const callsOf = async (query: string, variables: Readonly<Record<string, unknown>> = {}) => {
    const { errors, units } = await askPriced(padron, { query, variables });
    expect(errors).toBeUndefined();
    return toPairs(units?.calls ?? []);
  };

  it('are reported under the alias of the field that asked', async () => {
    const query = `{ me: person(nss: "${somebody.nss}") { loan: credit { outcome } } }`;
    expect(await callsOf(query)).toEqual([['me.loan', CREDIT]]);
    expect(padron.calls()).toEqual([CREDIT]);
  });

  it('are reported under the field that needed the identifier if no field selects it', async () => {
    const query = `{ person(nss: "${somebody.nss}") { identity { outcome } } }`;
    expect(await callsOf(query)).toEqual([
      ['person.identity', CREDIT],
      ['person.identity', IDENTITY],
    ]);
    expect(padron.calls()).toEqual([CREDIT, IDENTITY]);
  });

  it('are reported once, under the first of several fields with the same question', async () => {
    const query = `{ person(nss: "${somebody.nss}") { first: credit { outcome } second: credit { outcome } } }`;
    expect(await callsOf(query)).toEqual([['person.first', CREDIT]]);
  });

  it('are reported under a list position: an entity of a router, a receipt of a month', async () => {
    const query = `query ($representations: [_Any!]!) {
      _entities(representations: $representations) {
        ... on Person { credit { outcome } }
        ... on Employer { receipts(period: "2025-02") { records { files { outcome } } } } } }`;
    const representations = [
      { __typename: 'Employer', registration: payer.registration },
      { __typename: 'Person', nss: somebody.nss },
    ];
    const paths = (await callsOf(query, { representations })).map(([path]) => path);
    expect(paths).toContain('_entities.0.receipts');
    expect(paths).toContain('_entities.0.receipts.records.0.files');
    expect(paths).toContain('_entities.1.credit');
    expect(paths).toHaveLength(padron.calls().length);
  });

  it('are reported on every response, even if it makes no call or is rejected', async () => {
    for (const query of [
      '{ __typename }',
      '{ nothing }',
      '{ person { credit { outcome } } }',
      '{ registryEndpoints { units } }',
    ])
      expect((await askPriced(padron, { query })).units).toEqual(nothingSpent);
    expect(padron.calls()).toEqual([]);
  });
});
