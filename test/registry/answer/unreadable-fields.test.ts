import { listSnapshots } from '../../../src/graph/domains/snapshots/endpoints';
import { ofEmployer, payer } from '../../support/operations/employer-graph';
import { proxiedPadronForTests } from '../../support/padrons/padron-for-tests';

const padron = proxiedPadronForTests();

/** Asks a field of the employer while the service's answer has these members in its first record. */
async function askSnapshots(members: object) {
  padron.proxy.tamper(({ json }, { path }) => {
    if (path !== listSnapshots.path) return null;
    const body = json as { readonly data: readonly object[] };
    return { json: { ...body, data: body.data.map((row, index) => (index === 0 ? { ...row, ...members } : row)) } };
  });
  const { data, errors } = await padron.ask(
    ofEmployer(`snapshots { outcome problems { code path isRemark } evidence { billing units }
      records { id registration workers imssBreakdown { label value } rcvBreakdown { label value } } }`),
    { registration: payer.registration },
  );
  expect(errors).toBeUndefined();
  return data.employer.snapshots;
}

describe('a field that cannot be read', () => {
  it('is null, and the rest of the paid answer is delivered', async () => {
    const spent = padron.spent();
    const whole = await askSnapshots({});
    const { records, ...answer } = await askSnapshots({ totales_imss: null });
    expect(answer).toEqual({
      outcome: 'FOUND',
      problems: [{ code: 'FIELD_UNREADABLE', path: ['0', 'totales_imss'], isRemark: true }],
      evidence: { billing: 'CHARGED', units: 1 },
    });
    const oldest = whole.records.length - 1;
    expect(records).toEqual(
      whole.records.map((record: object, index: number) =>
        index === oldest ? { ...record, imssBreakdown: null } : record,
      ),
    );
    expect(padron.spent() - spent).toBe(2);
  });
});
