import { proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { engineRig } from '../../../support/stores/engines';

const [first = '', second = '', third = ''] = NSS;

describe('a row whose answer has a field that cannot be read', () => {
  const padron = proxiedPadronForTests({}, engineRig());
  const client = new BatchClient(padron);

  it('is done with the rest of the answer, and to be reviewed only if it does not show whom it is about', async () => {
    padron.proxy.tamper(({ bytes, json }) => {
      const body = json as { readonly data: object };
      if (bytes.includes(first)) return { json: { ...body, data: { ...body.data, mesesomisos: 'tres' } } };
      return bytes.includes(second) ? { json: { ...body, data: { ...body.data, nss: {} } } } : null;
    });
    const people = [first, second, third].map((nss) => ({ nss }));
    const { id, progress } = await client.runRows(CREDIT, people, 50);
    expect(progress).toMatchObject({ done: 3, failed: 0, unknown: 0, doubtful: 1, spentUnits: 3 });
    const rows = await client.rows(id);
    expect(rows.map(({ state, problems }) => [state, problems])).toEqual([
      ['DONE', [{ code: 'FIELD_UNREADABLE' }]],
      ['DONE', [{ code: 'ANSWER_MISMATCH' }, { code: 'FIELD_UNREADABLE' }]],
      ['DONE', []],
    ]);
    expect(rows.map(({ data }) => data.person.credit.outcome)).toEqual(['FOUND', 'FOUND', 'FOUND']);
    expect(padron.calls()).toHaveLength(3);
  });
});
