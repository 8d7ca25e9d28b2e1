import { people } from '../../../src/extensions/sandbox/data/people';
import { resolveObligatedSubject } from '../../../src/graph/domains/compliance/endpoints';
import { searchLicences } from '../../../src/graph/domains/education/endpoints';
import { findCredit } from '../../../src/graph/domains/housing/endpoints';
import { downloadReceipt, listReceipts } from '../../../src/graph/domains/receipts/endpoints';
import { listSnapshots } from '../../../src/graph/domains/snapshots/endpoints';
import type { AnyEndpoint } from '../../../src/registry/endpoint/endpoint';
import { addressOf } from '../../support/address-of';
import { findOrThrow } from '../../support/find-or-throw';
import { monthWith, NOW, ofEmployer, payer } from '../../support/operations/employer-graph';
import { proxiedPadronForTests } from '../../support/padrons/padron-for-tests';
import { askPriced } from '../../support/requests/money';

const padron = proxiedPadronForTests({}, null, { now: () => NOW });

// biome-ignore lint/suspicious/noExplicitAny: the border to JSON; every test asserts what it reads.
type Json = any;

/** Changes the answers of an endpoint. Without a change they pass. */
function tamper({ path: changed }: AnyEndpoint, change: (json: Json) => object): void {
  padron.proxy.tamper(({ json }, { path }) => (path === changed ? { json: change(json) } : null));
}

async function askEmployer(field: string): Promise<Json> {
  const { data, errors } = await padron.ask(ofEmployer(field), { registration: payer.registration });
  expect(errors).toBeUndefined();
  return data.employer;
}

const changeFirst = (rows: readonly object[], members: object) =>
  rows.map((row, index) => (index === 0 ? { ...row, ...members } : row));
const shown = 'outcome problems { code path isRemark } evidence { billing units }';
const remark = (...path: readonly string[]) => ({ code: 'FIELD_UNREADABLE', path, isRemark: true });
const paid = { outcome: 'FOUND', evidence: { billing: 'CHARGED', units: 1 } };

describe('a field that cannot be read', () => {
  const snapshots = `snapshots { ${shown} setAside
    records { id registration workers imssBreakdown { label value } rcvBreakdown { label value } } }`;

  it.each<[string, object, object, readonly string[]]>([
    ['a list that is null', { totales_imss: null }, { imssBreakdown: null }, ['0', 'totales_imss']],
    ['a list that is missing', { totales_rcv: undefined }, { rcvBreakdown: null }, ['0', 'totales_rcv']],
    ['a number that is a word', { numero_trabajadores: 'tres' }, { workers: null }, ['0', 'numero_trabajadores']],
    ['an ID that is missing', { id: undefined }, { id: null }, ['0', 'id']],
  ])('is null, and the rest of the paid answer is delivered: %s', async (_, members, shownMembers, path) => {
    const spent = padron.spent();
    const whole = (await askEmployer(snapshots)).snapshots;
    tamper(listSnapshots, (json) => ({ ...json, data: changeFirst(json.data, members) }));
    const { records, ...answer } = (await askEmployer(snapshots)).snapshots;
    expect(answer).toEqual({ ...paid, problems: [remark(...path)], setAside: 0 });
    // The service lists the oldest first, and the graph the newest.
    const expected = changeFirst(whole.records.toReversed(), shownMembers).toReversed();
    expect(records).toEqual(expected);
    expect(padron.spent() - spent).toBe(2);
  });

  it('does not change the price that a response states', async () => {
    tamper(listSnapshots, (json) => ({ ...json, data: changeFirst(json.data, { totales_imss: null }) }));
    const { units } = await askPriced(padron, {
      query: ofEmployer(snapshots),
      variables: { registration: payer.registration },
    });
    expect(units).toMatchObject({ spent: 1, uncertain: 0 });
  });

  it('is in the language of the caller', async () => {
    tamper(listSnapshots, (json) => ({ ...json, data: changeFirst(json.data, { rfc: [] }) }));
    const query = ofEmployer('snapshots { problems { message } }');
    const { data } = await padron.ask(query, { registration: payer.registration }, { 'accept-language': 'es' });
    expect(data.employer.snapshots.problems).toEqual([
      { message: 'El valor de `0.rfc` que entregó el servicio falta o no se puede leer. El resto se entrega.' },
    ]);
  });
});

describe('a list of receipts', () => {
  const period = monthWith(2);
  const receipts = `receipts(period: "${period}") { ${shown} count records { folio amount files { outcome problems { code } } } }`;

  it('is null if it cannot be read, and not empty', async () => {
    tamper(listReceipts, (json) => ({ ...json, comprobantes: null }));
    expect((await askEmployer(receipts)).receipts).toEqual({
      ...paid,
      problems: [remark('comprobantes')],
      count: 2,
      records: null,
    });
  });

  it('keeps its other receipts, and no file is bought for a folio that cannot be read', async () => {
    tamper(listReceipts, (json) => ({ ...json, comprobantes: changeFirst(json.comprobantes, { folio_sua: null }) }));
    const { records, ...answer } = (await askEmployer(receipts)).receipts;
    expect(answer).toEqual({ ...paid, problems: [remark('comprobantes', '0', 'folio_sua')], count: 2 });
    expect(records).toEqual([
      {
        folio: null,
        amount: expect.any(String),
        files: { outcome: 'NOT_RUN', problems: [{ code: 'MISSING_IDENTIFIER' }] },
      },
      { folio: expect.any(String), amount: expect.any(String), files: { outcome: 'FOUND', problems: [] } },
    ]);
    expect(padron.calls()).toEqual([addressOf(listReceipts), addressOf(downloadReceipt)]);
  });

  it('has an empty receipt for one that is not an object, which may be of another employer', async () => {
    tamper(listReceipts, (json) => ({ ...json, comprobantes: [...json.comprobantes.slice(0, 1), 'x'] }));
    const { problems, records } = (await askEmployer(`receipts(period: "${period}") { ${shown} records { folio } }`))
      .receipts;
    expect(problems).toMatchObject([{ code: 'ANSWER_MISMATCH' }, remark('comprobantes', '1')]);
    expect(records).toEqual([{ folio: expect.any(String) }, { folio: null }]);
  });
});

describe('an identifier that cannot be read', () => {
  const person = findOrThrow(people, ({ credit, licences }) => !!credit && licences.length > 0);

  it.each(['nss', 'scurp', 'rfc'])('has the effect of a mismatch, and nothing is derived: %s', async (column) => {
    tamper(findCredit, (json) => ({ ...json, data: { ...json.data, [column]: [json.data[column]] } }));
    const { data } = await padron.ask(
      `{ person(nss: "${person.nss}") { credit { ${shown} record { names } } licences { outcome problems { code } } } }`,
    );
    const { credit, licences } = data.person;
    expect(credit).toMatchObject({ ...paid, record: { names: expect.any(String) } });
    expect(credit.problems).toMatchObject([{ code: 'ANSWER_MISMATCH', isRemark: false }, remark(column)]);
    expect(licences).toMatchObject({
      outcome: 'NOT_RUN',
      problems: expect.arrayContaining([{ code: 'MISSING_IDENTIFIER' }]),
    });
    expect(padron.calls()).toEqual([addressOf(findCredit)]);
  });

  it('is not that of the employer, for whom no opinion is issued', async () => {
    tamper(resolveObligatedSubject, (json) => ({ ...json, meta: { ...json.meta, registro_patronal: {} } }));
    const { obligatedSubject, complianceOpinion } = await askEmployer(
      `obligatedSubject { ${shown} record { id } } complianceOpinion(rfc: "${payer.rfc}") { outcome }`,
    );
    expect(obligatedSubject).toMatchObject({ ...paid, record: { id: payer.obligatedSubjectId } });
    expect(obligatedSubject.problems).toMatchObject([{ code: 'ANSWER_MISMATCH' }, remark('meta', 'registro_patronal')]);
    expect(complianceOpinion).toEqual({ outcome: 'NOT_RUN' });
    expect(padron.calls()).toEqual([addressOf(resolveObligatedSubject)]);
  });

  it('does not decide whose a licence is', async () => {
    const { curp, names, paternalSurname, maternalSurname } = person;
    const name = `{ names: "${names}", paternalSurname: "${paternalSurname}", maternalSurname: "${maternalSurname}" }`;
    const ask = async (match: string): Promise<Json> =>
      (
        await padron.ask(
          `{ person(curp: "${curp}", name: ${name}) { licences(match: ${match}) { ${shown} records { curp title } } } }`,
        )
      ).data.person.licences;
    const isOwn = (row: Json) => row.curp === curp;
    tamper(searchLicences, (json) => ({
      ...json,
      data: json.data.filter(isOwn).map((row: object) => ({ ...row, curp: {} })),
    }));
    const exact = await ask('EXACT');
    expect(exact).toMatchObject({ outcome: 'UNAVAILABLE', records: null, evidence: { billing: 'CHARGED' } });
    expect(exact.problems).toMatchObject([remark('0', 'curp'), { code: 'POSSIBLE_RECORDS' }]);
    expect((await ask('ALL')).records).toContainEqual({ curp: null, title: person.licences[0]?.title });
  });
});
