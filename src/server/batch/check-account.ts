import { findCredit } from '../../graph/housing/endpoints';
import type { Answer, Outcome } from '../../registry/answer/answer';
import type { Exchange } from '../../registry/answer/exchange';
import type { Problem } from '../../registry/answer/problem';
import type { Caller } from '../../registry/caller';
import type { RegistryClient } from '../../registry/client/client';

/** Outcomes that prove that the service knows the account. It answers 401 to an unknown token before it checks anything else. */
const knownAccountOutcomes: ReadonlySet<Outcome> = new Set<Outcome>([
  'FOUND',
  'NOT_FOUND',
  'INVALID_INPUT',
  'NOT_PERMITTED',
]);

/**
 * Checks with the service whether it knows the caller's token. The call is never charged: it uses the service's sandbox
 * mode, and without the required `nss` no person is looked up. Returns null if the service knows the token, or a problem
 * if padron cannot find out. Throws an `UnauthenticatedError` if the service rejects the token.
 * `onExchange` receives the service's reply.
 */
export async function checkAccount(
  client: RegistryClient,
  caller: Caller,
  onExchange: ((exchange: Exchange) => void) | null = null,
): Promise<Problem | null> {
  const { signal } = new AbortController();
  const scope = { caller: { ...caller, sandbox: true }, request: {}, signal };
  const answer: Answer<unknown> = await client.fetch(findCredit, { nss: '' }, scope, {}, { signal, onExchange });
  const isKnown =
    knownAccountOutcomes.has(answer.outcome) || answer.problems.some(({ code }) => code === 'INSUFFICIENT_UNITS');
  return isKnown ? null : (answer.problems[0] ?? null);
}
