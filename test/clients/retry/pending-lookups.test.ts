import { parse, print } from 'graphql';
import { documentOfPending } from '../../../schema/client/pending-lookups';

const year = parse(`query Year($registration: EmployerRegistration!) {
  employer(registration: $registration) {
    registration
    receiptsBetween(from: "2025-02", to: "2025-04") { outcome problems { code retryAfter } }
    snapshots { outcome problems { code retryAfter } }
  }
}`);
const running = { outcome: 'UNAVAILABLE', problems: [{ code: 'STILL_RUNNING', retryAfter: 1 }] };
const found = { outcome: 'FOUND', problems: [] };

/** The paid fields that are asked again. */
function asked(...receiptsBetween: readonly object[]): readonly string[] {
  const document = documentOfPending(year, { employer: { receiptsBetween, snapshots: found } });
  return document === null ? [] : (print(document).match(/receiptsBetween|snapshots/g) ?? []);
}

describe('a list with an answer that is still running', () => {
  it.each([
    ['was found', found],
    ['was not found', { outcome: 'NOT_FOUND', problems: [] }],
    ['is still running too', running],
    ['waits for an identifier that is still running', { ...running, outcome: 'NOT_RUN' }],
    ['has a warning', { ...found, problems: [{ code: 'WRONG_CHECK_DIGIT' }] }],
    ['was checked by a clock that is ahead', { ...found, evidence: { checkedAt: '2100-01-01T00:00:00Z' } }],
  ])('is asked for again if its neighbour %s', (_, neighbour) => {
    expect(asked(running, neighbour)).toEqual(['receiptsBetween']);
  });

  it.each([
    ['belongs to somebody else', { ...found, problems: [{ code: 'ANSWER_MISMATCH' }] }],
    [
      'failed',
      {
        outcome: 'UNAVAILABLE',
        problems: [{ code: 'REGISTRY_ERROR' }],
        evidence: { checkedAt: new Date().toISOString() },
      },
    ],
  ])('is not asked for again if its neighbour %s, because that one would be paid again', (_, neighbour) => {
    expect(asked(running, neighbour)).toEqual([]);
  });
});
