import { findCredit } from '../../graph/housing/endpoints';
import type { Answer, Outcome } from '../../registry/answer/answer';
import type { Problem } from '../../registry/answer/problem';
import type { Caller } from '../../registry/caller';
import type { RegistryClient } from '../../registry/client/client';

/** Outcomes that the service gives only to an account that it knows: it answers 401 to any other token first. */
const ofKnownAccount: ReadonlySet<Outcome> = new Set<Outcome>(['FOUND', 'NOT_FOUND', 'INVALID_INPUT', 'NOT_PERMITTED']);

/**
 * Checks with the service whether it knows the caller's token. The request cannot be charged: it uses the service's
 * sandbox mode, and lacks the required `nss`, so that no person is looked up. Returns null if the service knows the
 * token, or the problem if it cannot be reached. Throws an `UnauthenticatedError` if the service rejects the token.
 */
export async function checkAccount(client: RegistryClient, caller: Caller): Promise<Problem | null> {
  const scope = { caller: { ...caller, sandbox: true }, request: {}, signal: new AbortController().signal };
  const answer: Answer<unknown> = await client.fetch(findCredit, { nss: '' }, scope, {});
  const isKnown =
    ofKnownAccount.has(answer.outcome) || answer.problems.some(({ code }) => code === 'INSUFFICIENT_UNITS');
  return isKnown ? null : (answer.problems[0] ?? null);
}
