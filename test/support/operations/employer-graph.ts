import { employers } from '../../../src/extensions/sandbox/data/employers';
import { findReceipts, type Receipt } from '../../../src/extensions/sandbox/documents/receipts';
import { issueOpinion, resolveObligatedSubject } from '../../../src/graph/domains/compliance/endpoints';
import { downloadReceipt, listReceipts } from '../../../src/graph/domains/receipts/endpoints';
import { listSnapshots } from '../../../src/graph/domains/snapshots/endpoints';
import { addressOf } from '../address-of';
import { findOrThrow } from '../find-or-throw';

/** The clock of the employer's tests, so that the months that are over stay the same. */
export const NOW = new Date('2026-11-20T18:00:00Z');

/** Method and path of the endpoints behind an employer's fields. A contract test compares them with the OpenAPI document. */
export const LIST = addressOf(listReceipts);
export const DOWNLOAD = addressOf(downloadReceipt);
export const LINK = 'GET /private/imss/comprobantes-fiscales/archivo/{token}/{tipo}';
export const SNAPSHOTS = addressOf(listSnapshots);
export const SUBJECT = addressOf(resolveObligatedSubject);
export const OPINION = addressOf(issueOpinion);

export function ofEmployer(fields: string): string {
  return `query ($registration: EmployerRegistration!) { employer(registration: $registration) { ${fields} } }`;
}

/** An employer that pays every month, so that each past month has a receipt. */
export const payer = findOrThrow(employers, ({ owes, kind }) => !owes && kind === 'MORAL');
/** An employer whose March of 2024 is unpaid. */
export const debtor = findOrThrow(employers, ({ owes }) => owes);

export function receiptsIn(employer: typeof payer, period: string): readonly Receipt[] {
  return findReceipts(employer, period.replace('-', ''), NOW);
}

export function monthWith(count: number, employer = payer): string {
  const months = Array.from({ length: 24 }, (_, index) => monthText(2024, index));
  return findOrThrow(months, (month) => receiptsIn(employer, month).length === count);
}

export const monthsOf = (year: number): readonly string[] => Array.from({ length: 12 }, (_, i) => monthText(year, i));

function monthText(year: number, index: number): string {
  return `${year + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
}

export const rejectedWithoutCall = (code: string, path: readonly string[]) => ({
  outcome: 'INVALID_INPUT',
  problems: [expect.objectContaining({ code, path, retryable: false })],
  evidence: {
    validationCode: null,
    endpoint: expect.any(String),
    status: null,
    message: null,
    checkedAt: null,
    servedFrom: 'NOT_SENT',
    units: 0,
    billing: 'NOT_CHARGED',
  },
});

export const wrongRegistrations: readonly [string, string][] = [
  ['Y607763610', 'INVALID_FORMAT'],
  ['Y60776361051', 'INVALID_FORMAT'],
  ['6Y077636105', 'INVALID_FORMAT'],
  ['Y6077636106', 'WRONG_CHECK_DIGIT'],
];
