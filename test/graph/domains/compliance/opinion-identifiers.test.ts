import type { Failure } from '../../../../src/sandbox/test-cards/failures';
import { partlyFailingEmployers } from '../../../../src/sandbox/test-cards/personas';
import { fileFields } from '../../../support/documents/receipt-files';
import { NOW, OPINION, payer, SNAPSHOTS, SUBJECT } from '../../../support/operations/employer-graph';
import { lookup } from '../../../support/operations/lookup';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { withPadron } from '../../../support/padrons/with-padron';
import { card } from '../../../support/sandbox/cards';
import { unusedRegistration } from '../../../support/sandbox/identifiers';

const opinionQuery = `query ($registration: EmployerRegistration!, $rfc: RFC, $curp: CURP, $kind: String) {
  employer(registration: $registration) { complianceOpinion(rfc: $rfc, curp: $curp, kind: $kind) {
    ${lookup} document { ${fileFields} } validUntil } } }`;
const { registration, rfc } = payer;

const padron = padronForTests({ now: () => NOW });

const askOpinion = async (variables: Readonly<Record<string, unknown>>, asked = padron) => {
  const { data, errors } = await asked.ask(opinionQuery, { registration, ...variables });
  expect(errors).toBeUndefined();
  return data.employer.complianceOpinion;
};

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

  it('is not run without the obligated subject', async () => {
    expect(await askOpinion({ registration: partlyFailingEmployers.obligatedSubject.registration })).toMatchObject(
      notRun([{ code: 'REGISTRY_ERROR', retryable: true }, noSubject]),
    );
    expect([...padron.calls()].sort()).toEqual([SNAPSHOTS, SUBJECT]);
  });

  it('is not run without the RFC', async () => {
    expect(await askOpinion({ registration: partlyFailingEmployers.snapshots.registration })).toMatchObject(
      notRun([{ code: 'REGISTRY_ERROR', retryable: true }, noRfc]),
    );
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
  const style = { timeZone: 'America/Mexico_City', dateStyle: 'short', timeStyle: 'medium' } as const;
  const inMexicoCity = (instant: string) => new Intl.DateTimeFormat('sv-SE', style).format(new Date(instant));

  it('is the end of the day of issue in Mexico City', async () => {
    const { validUntil, evidence } = await askOpinion({ rfc });
    expect(inMexicoCity(validUntil)).toBe(`${inMexicoCity(evidence.checkedAt).slice(0, 10)} 23:59:59`);
  });

  // The client takes `checkedAt` from the clock of the process, not from the one that padron is started with.
  it('is today in Mexico City even if it is already tomorrow in UTC', async () => {
    const evening = new Date('2026-11-21T05:30:00Z');
    const late = await withPadron({ now: () => evening }, (asked) => askOpinion({ rfc }, asked));
    expect(late.evidence.checkedAt).toBe(evening.toISOString());
    expect(late.validUntil).toBe('2026-11-21T05:59:59.000Z');
  });
});
