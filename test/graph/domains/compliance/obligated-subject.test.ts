import { employers } from '../../../../src/sandbox/data/employers';
import { partlyFailingEmployers } from '../../../../src/sandbox/test-cards/personas';
import { debtor, NOW, ofEmployer, payer, SNAPSHOTS, SUBJECT } from '../../../support/operations/employer-graph';
import { lookup } from '../../../support/operations/lookup';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { card } from '../../../support/sandbox/cards';
import { unusedRegistration } from '../../../support/sandbox/identifiers';

const subjectQuery = ofEmployer(`obligatedSubject { ${lookup} warnings record {
  id activity fractionKey division group fractionDescription fractionDetail riskClass riskPremium } }`);

const padron = padronForTests({ now: () => NOW });

const askSubject = async (registration: string) => {
  const { data, errors } = await padron.ask(subjectQuery, { registration });
  expect(errors).toBeUndefined();
  return data.employer.obligatedSubject;
};

describe('Employer.obligatedSubject', () => {
  it.each([
    ['who owes nothing', payer, []],
    ['who owes', debtor, ['El registro patronal tiene periodos sin pago.']],
  ])('resolves an employer %s, with the proof of the answer', async (_, employer, warnings) => {
    const before = padron.spent();
    const { activity } = employer;
    const { evidence, ...answer } = await askSubject(employer.registration);
    expect(answer).toEqual({
      outcome: 'FOUND',
      problems: [],
      warnings,
      record: {
        id: employer.obligatedSubjectId,
        activity: activity.description,
        fractionKey: activity.key,
        division: activity.division,
        group: activity.group,
        fractionDescription: activity.description,
        fractionDetail: `Fracción ${activity.key}, clase ${activity.riskClass}: ${activity.description}`,
        riskClass: activity.riskClass,
        riskPremium: String(employer.riskPremium / 100_000),
      },
    });
    expect(evidence).toMatchObject({
      endpoint: SUBJECT,
      status: 200,
      servedFrom: 'LIVE',
      units: 1,
      billing: 'CHARGED',
    });
    expect(padron.spent() - before).toBe(1);
    expect(padron.callsInFull().map(({ input }) => input)).toEqual([{ rp: employer.registration }]);
    expect(padron.calls()).toEqual([SUBJECT]);
  });

  it.each([
    ['an unknown employer', unusedRegistration],
    ['a registration whose card plays it', card('not-found', 'registration')],
  ])('gives NOT_FOUND for %s', async (_, registration) => {
    expect(await askSubject(registration)).toMatchObject({
      outcome: 'NOT_FOUND',
      problems: [],
      warnings: [],
      record: null,
      evidence: { status: 404, units: 1, billing: 'CHARGED' },
    });
    expect(padron.calls()).toEqual([SUBJECT]);
  });

  it('keeps an answer about another employer, with a warning', async () => {
    const { outcome, problems, record } = await askSubject(card('somebody-else', 'registration'));
    expect({ outcome, problems }).toMatchObject({ outcome: 'FOUND', problems: [{ code: 'ANSWER_MISMATCH' }] });
    expect(record.id).toBe(employers[0]?.obligatedSubjectId);
  });

  it('does not affect the snapshots if it fails', async () => {
    const { data } = await padron.ask(
      ofEmployer('obligatedSubject { outcome problems { code } record { id } } snapshots { outcome }'),
      { registration: partlyFailingEmployers.obligatedSubject.registration },
    );
    expect(data.employer).toEqual({
      obligatedSubject: { outcome: 'UNAVAILABLE', problems: [{ code: 'REGISTRY_ERROR' }], record: null },
      snapshots: { outcome: 'FOUND' },
    });
    expect([...padron.calls()].sort()).toEqual([SNAPSHOTS, SUBJECT]);
  });
});
