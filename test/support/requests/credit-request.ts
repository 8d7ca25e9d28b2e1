import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import type { HttpAnswer, Sent } from './http';

/** People with a credit, whose question costs one unit. */
export const indebted: readonly string[] = people.filter(({ credit }) => Boolean(credit)).map(({ nss }) => nss);
export const [nss = ''] = indebted;

export const asking = (headers: Readonly<Record<string, string>> = {}): Sent => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}`, ...headers },
  body: JSON.stringify({ query: `{ person(nss: "${nss}") { credit { outcome } } }` }),
});

export const outcomeIn = ({ text }: HttpAnswer): unknown => JSON.parse(text).data.person.credit.outcome;
