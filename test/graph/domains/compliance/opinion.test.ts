import { employers } from '../../../../src/extensions/sandbox/data/employers';
import type { Failure } from '../../../../src/extensions/sandbox/test-cards/failures';
import { partlyFailingEmployers } from '../../../../src/extensions/sandbox/test-cards/personas';
import { pdfContent } from '../../../support/documents/pdf-text';
import { bytesOf, fileFields } from '../../../support/documents/receipt-files';
import { findOrThrow } from '../../../support/find-or-throw';
import {
  debtor,
  NOW,
  OPINION,
  ofEmployer,
  payer,
  rejectedWithoutCall,
  SNAPSHOTS,
  SUBJECT,
  wrongRegistrations,
} from '../../../support/operations/employer-graph';
import { lookup } from '../../../support/operations/lookup';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { withPadron } from '../../../support/padrons/with-padron';
import { card } from '../../../support/sandbox/cards';
import { unusedCurp, unusedRegistration } from '../../../support/sandbox/identifiers';

const opinionQuery = `query ($registration: EmployerRegistration!, $rfc: RFC, $curp: CURP, $kind: String) {
employer(registration: $registration) { complianceOpinion(rfc: $rfc, curp: $curp, kind: $kind) {
  ${lookup} document { ${fileFields} } validUntil } } }`;

const { registration, rfc } = payer;

const paidLive = { status: 200, servedFrom: 'LIVE', units: 1, billing: 'CHARGED' };
const owned = findOrThrow(employers, ({ kind, owes }) => kind === 'FISICA' && !owes);

const padron = padronForTests({ now: () => NOW });

const askOpinion = async (variables: Readonly<Record<string, unknown>>, asked = padron) => {
  const { data, errors } = await asked.ask(opinionQuery, { registration, ...variables });
  expect(errors).toBeUndefined();
  return data.employer.complianceOpinion;
};

describe('Employer.complianceOpinion', () => {
  it.each([
    ['positive', payer, 'POSITIVA'],
    ['negative', debtor, 'NEGATIVA'],
  ])('finds a %s opinion by the registration alone', async (_, employer, sense) => {
    const before = padron.spent();
    const { outcome, problems, evidence, document } = await askOpinion({ registration: employer.registration });
    expect({ outcome, problems }).toEqual({ outcome: 'FOUND', problems: [] });
    expect(evidence).toMatchObject({ endpoint: OPINION, ...paidLive });
    const withoutLink = { url: null, expiresAt: null, contentProblem: null };
    expect(document).toMatchObject({ contentType: 'application/pdf', ...withoutLink });
    expect(bytesOf(document)).toHaveLength(document.sizeBytes);
    const { text } = await pdfContent(bytesOf(document));
    for (const words of [sense, employer.rfc, employer.obligatedSubjectId]) expect(text).toContain(words);
    const [first, second, ...calls] = padron.callsInFull();
    expect([first?.endpoint, second?.endpoint].sort()).toEqual([SNAPSHOTS, SUBJECT]);
    const input = { sujeto_obligado: employer.obligatedSubjectId, rfc: employer.rfc };
    expect(calls).toMatchObject([{ endpoint: OPINION, input }]);
    expect(padron.spent() - before).toBe(3);
  });

  it('makes no call for snapshots if the query gives the RFC, and sends every given argument', async () => {
    const { curp, kind } = { curp: unusedCurp, kind: 'persona_fisica' };
    const variables = { registration: owned.registration, rfc: ` ${owned.rfc.toLowerCase()} `, curp, kind };
    expect((await askOpinion(variables)).outcome).toBe('FOUND');
    const input = { sujeto_obligado: owned.obligatedSubjectId, rfc: owned.rfc, curp, tipo: kind };
    expect(padron.callsInFull()[1]?.input).toEqual(input);
    expect(padron.calls()).toEqual([SUBJECT, OPINION]);
  });

  it('gives NOT_FOUND if the RFC belongs to another employer', async () => {
    const before = padron.spent();
    expect(await askOpinion({ rfc: debtor.rfc })).toMatchObject({
      outcome: 'NOT_FOUND',
      problems: [],
      document: null,
      validUntil: null,
      evidence: { status: 404, units: 1, billing: 'CHARGED' },
    });
    expect(padron.spent() - before).toBe(2);
    expect(padron.calls()).toEqual([SUBJECT, OPINION]);
  });

  it.each([
    ...wrongRegistrations.map(([value, code]) => [{ registration: value }, code, 'registration'] as const),
    [{ rfc: 'EKU900317' }, 'INVALID_FORMAT', 'rfc'] as const,
    [{ rfc: 'EKU901317AB1' }, 'INVALID_FORMAT', 'rfc'] as const,
    [{ rfc: 'XAXX010101000' }, 'INVALID_FORMAT', 'rfc'] as const,
    [{ rfc, curp: 'BOXW310820' }, 'INVALID_FORMAT', 'curp'] as const,
    [{ rfc, curp: 'BOXW310820HNERXN08' }, 'WRONG_CHECK_DIGIT', 'curp'] as const,
  ])('rejects %j before any paid call: %s', async (input, code, argument) => {
    expect(await askOpinion(input)).toEqual({
      ...rejectedWithoutCall(code, [argument]),
      document: null,
      validUntil: null,
    });
    expect(padron.calls()).toEqual([]);
  });

  it('points to the argument that the registry rejected', async () => {
    const { problems } = await askOpinion({ rfc: card('unprocessable', 'rfc') });
    expect(problems).toMatchObject([{ path: ['rfc'], message: 'El campo rfc es obligatorio.' }]);
  });

  it('keeps its prerequisites if only the last call fails', async () => {
    const { opinion } = partlyFailingEmployers;
    expect(await askOpinion({ registration: opinion.registration })).toMatchObject({
      outcome: 'UNAVAILABLE',
      problems: [{ code: 'REGISTRY_ERROR' }],
      document: null,
      evidence: { endpoint: OPINION, status: 500, billing: 'UNKNOWN' },
    });
    expect([...padron.calls()].sort()).toEqual([SNAPSHOTS, OPINION, SUBJECT].sort());
  });
});

describe('an opinion whose prerequisite fails', () => {
  const notRun = (problems: readonly object[]) => ({
    outcome: 'NOT_RUN',
    problems,
    document: null,
    validUntil: null,
    evidence: { endpoint: OPINION, status: null, servedFrom: 'NOT_SENT', units: 0, billing: 'NOT_CHARGED' },
  });
  const noSubject = { code: 'MISSING_IDENTIFIER', path: ['registration'] };
  const noRfc = { code: 'MISSING_IDENTIFIER', path: ['rfc'] };

  it.each([
    ['the obligated subject', partlyFailingEmployers.obligatedSubject, noSubject],
    ['the RFC', partlyFailingEmployers.snapshots, noRfc],
  ])('is not run without %s', async (_, { registration }, missing) => {
    const problems = [{ code: 'REGISTRY_ERROR', retryable: true }, missing];
    expect(await askOpinion({ registration })).toMatchObject(notRun(problems));
    expect([...padron.calls()].sort()).toEqual([SNAPSHOTS, SUBJECT]);
  });

  it('is not run for an unknown employer', async () => {
    expect(await askOpinion({ registration: unusedRegistration })).toMatchObject(notRun([noSubject, noRfc]));
  });

  it.each<[Failure, string]>([
    ['IMSS_SESSION_REQUIRED', 'IMSS_SESSION_REQUIRED'],
    ['html', 'UNUSABLE_ANSWER'],
    ['somebody-else', 'ANSWER_MISMATCH'],
  ])(
    'is not run if the obligated subject gives «%s», and makes no call about another employer',
    async (failure, code) => {
      expect(await askOpinion({ registration: card(failure, 'registration'), rfc })).toMatchObject(
        notRun([{ code }, noSubject]),
      );
      expect(padron.calls()).toEqual([SUBJECT]);
    },
  );
});

describe("the end of an opinion's validity", () => {
  // The client takes `checkedAt` from the clock of the process, not from the one that padron is started with.
  it('is today in Mexico City even if it is already tomorrow in UTC', async () => {
    const evening = new Date('2026-11-21T05:30:00Z');
    const late = await withPadron({ now: () => evening }, (asked) => askOpinion({ rfc }, asked));
    expect(late.evidence.checkedAt).toBe(evening.toISOString());
    expect(late.validUntil).toBe('2026-11-21T05:59:59.000Z');
  });
});

const subjectQuery = ofEmployer(`obligatedSubject { ${lookup} warnings record {
id activity fractionKey division group fractionDescription fractionDetail riskClass riskPremium } }`);

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
    expect(evidence).toMatchObject({ endpoint: SUBJECT, ...paidLive });
    expect(padron.spent() - before).toBe(1);
    expect(padron.callsInFull()).toMatchObject([{ endpoint: SUBJECT, input: { rp: employer.registration } }]);
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
