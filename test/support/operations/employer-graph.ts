import { employers } from '../../../src/extensions/sandbox/data/employers';
import { findReceipts, type Receipt } from '../../../src/extensions/sandbox/documents/receipts';
import type { Failure } from '../../../src/extensions/sandbox/test-cards/failures';
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

/** Reports of each failure of the portal's endpoints: outcome, code, billing, status, retryable. There are never ten portal failures in a row, because the circuit breaker would open. */
export const portalFailures: readonly [Failure, string, string, string, number, boolean][] = [
  ['bad-request', 'INVALID_INPUT', 'REJECTED_BY_REGISTRY', 'NOT_CHARGED', 400, false],
  ['unprocessable', 'INVALID_INPUT', 'REJECTED_BY_REGISTRY', 'NOT_CHARGED', 422, false],
  ['unprocessable-receipts', 'INVALID_INPUT', 'REJECTED_BY_REGISTRY', 'NOT_CHARGED', 422, false],
  ['server-error', 'UNAVAILABLE', 'REGISTRY_ERROR', 'UNKNOWN', 500, true],
  ['unavailable', 'UNAVAILABLE', 'REGISTRY_ERROR', 'UNKNOWN', 503, true],
  ['IMSS_SESSION_REQUIRED', 'UNAVAILABLE', 'IMSS_SESSION_REQUIRED', 'NOT_CHARGED', 401, false],
  ['IMSS_SESSION_EXPIRED', 'UNAVAILABLE', 'IMSS_SESSION_EXPIRED', 'NOT_CHARGED', 401, false],
  ['IMSS_INCONSISTENT_DATA', 'INVALID_INPUT', 'IMSS_INCONSISTENT_DATA', 'NOT_CHARGED', 422, false],
  ['IMSS_TRANSPORT_ERROR', 'UNAVAILABLE', 'IMSS_TRANSPORT_ERROR', 'UNKNOWN', 502, true],
  ['IMSS_UPSTREAM_ERROR', 'UNAVAILABLE', 'IMSS_UPSTREAM_ERROR', 'UNKNOWN', 502, true],
  ['IMSS_HTTP_ERROR', 'UNAVAILABLE', 'IMSS_HTTP_ERROR', 'UNKNOWN', 502, true],
  ['IMSS_FILETYPE_ERROR', 'UNAVAILABLE', 'IMSS_FILETYPE_ERROR', 'UNKNOWN', 502, true],
  ['forbidden', 'NOT_PERMITTED', 'MISSING_PERMISSION', 'NOT_CHARGED', 403, false],
  ['rate-limited-for-a-day', 'UNAVAILABLE', 'RATE_LIMITED', 'NOT_CHARGED', 429, true],
  ['html', 'UNAVAILABLE', 'UNUSABLE_ANSWER', 'UNKNOWN', 200, true],
];

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
