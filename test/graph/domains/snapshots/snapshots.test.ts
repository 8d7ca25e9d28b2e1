import { employers } from '../../../../src/extensions/sandbox/data/employers';
import { toPesos } from '../../../../src/extensions/sandbox/data/money';
import { availablePeriods, computeMonthFigures } from '../../../../src/extensions/sandbox/data/months';
import { findOrThrow } from '../../../support/find-or-throw';
import { NOW, ofEmployer, payer, SNAPSHOTS } from '../../../support/operations/employer-graph';
import { lookup } from '../../../support/operations/lookup';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { type Alteration, withAltered } from '../../../support/proxies/altered-service';
import { card } from '../../../support/sandbox/cards';
import { unusedRegistration } from '../../../support/sandbox/identifiers';

const snapshotsQuery = ofEmployer(`snapshots { ${lookup} setAside records {
  id userId registration name rfc activity riskClass personKind riskPremium workers totalImss totalRcv
  imssBreakdown { label value } rcvBreakdown { label value } capturedAt createdAt updatedAt } }`);

const padron = padronForTests({ now: () => NOW });

const askSnapshots = async (registration: string) => {
  const { data, errors } = await padron.ask(snapshotsQuery, { registration });
  expect(errors).toBeUndefined();
  return data.employer.snapshots;
};
const concepts = (list: readonly { readonly label: string; readonly centavos: number }[]) =>
  list.map(({ label, centavos }) => ({ label, value: String(toPesos(centavos)) }));

/** Answers with the service's snapshots, in which `write` rewrites every registration. */
async function askRewritten(write: (registration: string, index: number) => unknown, field: string) {
  const alter: Alteration = (data) =>
    Array.isArray(data)
      ? data.map((row, index) => ({ ...row, registro_patronal: write(row.registro_patronal, index) }))
      : data;
  return await withAltered(alter, async (altered) => {
    const { data, errors } = await altered.ask(ofEmployer(field), { registration: payer.registration });
    expect(errors).toBeUndefined();
    return { ...data.employer, calls: altered.calls() };
  });
}

describe('a registration that cannot be read', () => {
  const field = 'snapshots { outcome problems { code message } records { id } evidence { status billing } }';

  it.each<[string, unknown]>([
    ['masked', 'Y60******01'],
    ['cut off', payer.registration.slice(0, 8)],
    ['a word', 'N/A'],
    ['a dash', '-'],
    ['a number', 12_345],
  ])('may be of anybody: %s', async (_, written) => {
    const { snapshots, calls } = await askRewritten(() => written, field);
    expect(snapshots).toMatchObject({
      outcome: 'FOUND',
      problems: [{ code: 'ANSWER_MISMATCH' }],
      evidence: { status: 200, billing: 'CHARGED' },
    });
    expect(snapshots.records).toHaveLength(availablePeriods(new Date()).length);
    expect(calls).toEqual([SNAPSHOTS]);
  });

  it('may be of anybody if it is of another type', async () => {
    const { snapshots } = await askRewritten(() => [], field);
    expect(snapshots).toMatchObject({
      outcome: 'FOUND',
      problems: [{ code: 'ANSWER_MISMATCH' }, { code: 'FIELD_UNREADABLE' }],
      evidence: { billing: 'CHARGED' },
    });
    expect(snapshots.records).toHaveLength(availablePeriods(new Date()).length);
  });

  it('is not shown as that of the employer, beside snapshots that are', async () => {
    const { snapshots } = await askRewritten((registration, index) => (index === 0 ? {} : registration), field);
    expect(snapshots).toMatchObject({ outcome: 'FOUND', problems: [{ code: 'FIELD_UNREADABLE' }] });
    expect(snapshots.records).toHaveLength(availablePeriods(new Date()).length - 1);
  });

  it('does not affect snapshots that can be read', async () => {
    const { snapshots } = await askRewritten((registration, index) => (index === 0 ? '?' : registration), field);
    expect(snapshots).toMatchObject({ outcome: 'FOUND', problems: [] });
  });

  it('provides no RFC for an opinion', async () => {
    const { complianceOpinion } = await askRewritten(
      () => '?',
      'complianceOpinion { outcome problems { code } evidence { servedFrom } }',
    );
    expect(complianceOpinion).toEqual({
      outcome: 'NOT_RUN',
      problems: [{ code: 'ANSWER_MISMATCH' }, { code: 'MISSING_IDENTIFIER' }],
      evidence: { servedFrom: 'NOT_SENT' },
    });
  });

  it.each<[string, (registration: string) => string]>([
    ['with dashes', (registration) => registration.replace(/^(...)(.....)(..)(.)$/, '$1-$2-$3-$4')],
    ['with blanks around it', (registration) => ` ${registration} `],
    ['in lower case', (registration) => registration.toLowerCase()],
    ['without its check digit', (registration) => registration.slice(0, 10)],
  ])('is not one that is written otherwise: %s', async (_, write) => {
    const { snapshots } = await askRewritten(write, field);
    expect(snapshots).toMatchObject({ outcome: 'FOUND', problems: [], evidence: { billing: 'CHARGED' } });
  });
});

describe('Employer.snapshots', () => {
  it.each([
    ['a company', payer],
    ['a person', findOrThrow(employers, ({ kind }) => kind === 'FISICA')],
  ])('finds every snapshot of %s, newest first, with the proof of the answer', async (_, employer) => {
    const before = padron.spent();
    const { outcome, problems, records, evidence } = await askSnapshots(employer.registration);
    expect({ outcome, problems }).toEqual({ outcome: 'FOUND', problems: [] });
    const periods = availablePeriods(NOW);
    const expected = periods.map((period, index) => {
      const figures = computeMonthFigures(employer, period);
      const moment = `${figures.capturedOn}T06:00:00.000Z`;
      const { registration, name, rfc, activity, kind, riskPremium } = employer;
      return {
        ...{ id: String(employer.serial * 1000 + index + 1), userId: '1', registration, name, rfc, personKind: kind },
        ...{
          activity: activity.description,
          riskClass: activity.riskClass,
          riskPremium: String(riskPremium / 100_000),
        },
        ...{ workers: figures.workers, imssBreakdown: concepts(figures.imss), rcvBreakdown: concepts(figures.rcv) },
        ...{ totalImss: String(toPesos(figures.totalImss)), totalRcv: String(toPesos(figures.totalRcv)) },
        ...{ capturedAt: moment, createdAt: moment, updatedAt: moment },
      };
    });
    expect(records).toEqual(expected.toReversed());
    const live = { status: 200, servedFrom: 'LIVE', units: 1, billing: 'CHARGED' };
    expect(evidence).toMatchObject({ endpoint: SNAPSHOTS, ...live });
    expect(evidence.validationCode).toMatch(/^\w{20}$/);
    expect(padron.spent() - before).toBe(1);
    const input = { registro_patronal: employer.registration };
    expect(padron.callsInFull()).toMatchObject([{ endpoint: SNAPSHOTS, input }]);
  });

  it.each([
    ['an unknown employer, whose list is empty', unusedRegistration, false],
    ['an answer with rows of another employer only', card('somebody-else', 'registration'), true],
  ])('gives NOT_FOUND for %s', async (_, registration, hasOthers) => {
    const before = padron.spent();
    const { setAside, ...answer } = await askSnapshots(registration);
    expect(setAside > 0).toBe(hasOthers);
    expect(answer).toMatchObject({
      outcome: 'NOT_FOUND',
      records: [],
      problems: hasOthers
        ? [{ code: 'NO_RECORD_MATCHES', message: expect.stringContaining(`${setAside} snapshot`), retryable: false }]
        : [],
      evidence: { status: 200, units: 1, billing: 'CHARGED', validationCode: expect.any(String) },
    });
    expect(padron.spent() - before).toBe(1);
    expect(padron.calls()).toEqual([SNAPSHOTS]);
  });
});
