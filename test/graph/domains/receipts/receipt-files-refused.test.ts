import { cards } from '../../../../src/extensions/sandbox/test-cards/cards';
import { allEmployers } from '../../../../src/extensions/sandbox/test-cards/directory';
import type { Failure } from '../../../../src/extensions/sandbox/test-cards/failures';
import { partlyFailingEmployers } from '../../../../src/extensions/sandbox/test-cards/personas';
import { findOrThrow } from '../../../support/find-or-throw';
import {
  DOWNLOAD,
  LINK,
  LIST,
  NOW,
  payer,
  receiptsIn,
  rejectedWithoutCall,
} from '../../../support/operations/employer-graph';
import { lookup } from '../../../support/operations/lookup';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { card } from '../../../support/sandbox/cards';

const period = '2025-02';
const folio = '123456';
const filesQuery = `query (
  $registration: EmployerRegistration!, $period: YearMonth!, $folio: String!, $inline: Boolean, $amountText: String
) { employer(registration: $registration) { receiptFiles(period: $period, folio: $folio, inline: $inline, amountText: $amountText) {
  ${lookup} warnings cacheStore pdf { url content contentProblem { code retryable } } xml { url } } } }`;

const padron = padronForTests({ now: () => NOW });

const askFiles = async (variables: Readonly<Record<string, unknown>>) => {
  const subject = { registration: payer.registration, period, folio };
  const { data, errors } = await padron.ask(filesQuery, { ...subject, ...variables });
  expect(errors).toBeUndefined();
  return data.employer.receiptFiles;
};
const foliosOf = (registration: string): readonly string[] => {
  const employer = findOrThrow(allEmployers, (candidate) => candidate.registration === registration);
  return receiptsIn(employer, period).map((receipt) => receipt.folio);
};
const folioOf = (registration: string): string | undefined => foliosOf(registration)[0];
const nothing = { warnings: [], cacheStore: null, pdf: null, xml: null };

describe('Employer.receiptFiles, rejected', () => {
  it('gives NOT_FOUND if the service answers 404', async () => {
    expect(await askFiles({ registration: card('not-found', 'registration') })).toMatchObject({
      outcome: 'NOT_FOUND',
      problems: [],
      evidence: { status: 404, units: 1, billing: 'CHARGED' },
      ...nothing,
    });
    expect(padron.calls()).toEqual([DOWNLOAD]);
  });

  it('reports that folio, period and registration do not belong together', async () => {
    const before = padron.spent();
    expect(await askFiles({ folio: '0' })).toMatchObject({
      outcome: 'INVALID_INPUT',
      problems: [{ code: 'IMSS_INCONSISTENT_DATA', path: null, message: expect.stringContaining('no coinciden') }],
      evidence: { status: 422, units: 0, billing: 'NOT_CHARGED' },
      ...nothing,
    });
    expect(padron.spent()).toBe(before);
    expect(padron.calls()).toEqual([DOWNLOAD]);
  });

  it('keeps an answer about another receipt, with a warning', async () => {
    const { outcome, problems } = await askFiles({ registration: card('somebody-else', 'registration') });
    expect({ outcome, problems }).toMatchObject({ outcome: 'FOUND', problems: [{ code: 'ANSWER_MISMATCH' }] });
  });

  it.each([
    [{ period: '2026-13' }, 'OUT_OF_RANGE', 'period'] as const,
    [{ folio: '1'.repeat(26) }, 'INVALID_FORMAT', 'folio'] as const,
    [{ amountText: '1'.repeat(41) }, 'OUT_OF_RANGE', 'amountText'] as const,
  ])('rejects %j without a call: %s', async (input, code, argument) => {
    expect(await askFiles(input)).toEqual({ ...rejectedWithoutCall(code, [argument]), ...nothing });
    expect(padron.calls()).toEqual([]);
  });

  it('sends an amount of 40 characters and a folio of 25 digits unchanged', async () => {
    const [amountText, longFolio] = ['$'.padEnd(40, '1'), '0'.repeat(25)];
    expect(await askFiles({ amountText, folio: longFolio })).toMatchObject({
      problems: [{ code: 'IMSS_INCONSISTENT_DATA' }],
    });
    expect(padron.callsInFull()[0]?.input).toMatchObject({ importe: amountText, folio_sua: longFolio });
  });
});

describe('a file whose link fails', () => {
  it.each<[Failure, string, boolean, readonly string[]]>([
    ['expired-link', 'LINK_EXPIRED', false, [DOWNLOAD, LINK]],
    ['unusable-link', 'UNUSABLE_FILE', true, [DOWNLOAD, LINK]],
    ['foreign-link', 'LINK_NOT_ALLOWED', false, [DOWNLOAD]],
  ])('has no content with «%s», and reports why', async (failure, code, retryable, calls) => {
    const registration = linkCard(failure);
    const files = await askFiles({ registration, folio: folioOf(registration) });
    expect(files).toMatchObject({
      outcome: 'FOUND',
      problems: [],
      evidence: { units: 1, billing: 'CHARGED' },
      pdf: { url: expect.stringContaining('signature='), content: null, contentProblem: { code, retryable } },
    });
    expect(padron.calls()).toEqual(calls);
  });
});

describe('EmployerReceipt.files', () => {
  it.each([
    ['UNAVAILABLE', 'IMSS_UPSTREAM_ERROR', partlyFailingEmployers.upstreamDownload],
    ['UNAVAILABLE', 'IMSS_FILETYPE_ERROR', partlyFailingEmployers.filetypeDownload],
    ['INVALID_INPUT', 'IMSS_INCONSISTENT_DATA', partlyFailingEmployers.inconsistentDownload],
  ])('is %s, %s, while the list is FOUND', async (outcome, code, { registration }) => {
    const { data } = await padron.ask(
      `query ($r: EmployerRegistration!) { employer(registration: $r) { receipts(period: "${period}") {
        outcome records { folio files { outcome problems { code } pdf { url } } } } } }`,
      { r: registration },
    );
    const folios = foliosOf(registration);
    expect(data.employer.receipts).toMatchObject({
      outcome: 'FOUND',
      records: folios.map((folio) => ({ folio, files: { outcome, problems: [{ code }], pdf: null } })),
    });
    expect(padron.calls()).toEqual([LIST, ...folios.map(() => DOWNLOAD)]);
  });
});

/** Cards of links play on the download only. */
function linkCard(failure: Failure): string {
  return findOrThrow(cards, (entry) => entry.failure === failure && entry.identifier === 'registration').value;
}
