import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../find-or-throw';
import type { HttpAnswer, Sent } from './http';

export const { nss } = findOrThrow(people, ({ credit }) => Boolean(credit));

export const asking = (headers: Readonly<Record<string, string>> = {}): Sent => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}`, ...headers },
  body: JSON.stringify({ query: `{ person(nss: "${nss}") { credit { outcome } } }` }),
});

export const outcomeIn = ({ text }: HttpAnswer): unknown => JSON.parse(text).data.person.credit.outcome;
