import { findCredit } from '../../graph/housing/endpoints';
import type { Answer, Outcome } from '../../registry/answer/answer';
import type { Problem } from '../../registry/answer/problem';
import type { Caller } from '../../registry/caller';
import type { RegistryClient } from '../../registry/client/client';

/** Outcomes that the service gives only to an account that it knows: it answers 401 to any other token first. */
const ofKnownAccount: ReadonlySet<Outcome> = new Set<Outcome>(['FOUND', 'NOT_FOUND', 'INVALID_INPUT', 'NOT_PERMITTED']);

/**
 * Asks the service whether it knows the caller's token, free of charge twice over: in the service's sandbox mode, which the interface
 * never charges, and without the required `nss`, so that nobody is looked up. Returns null if it does, or why that cannot be
 * known now. Throws an `UnauthenticatedError` if it does not.
 */
export async function checkAccount(client: RegistryClient, caller: Caller): Promise<Problem | null> {
  const scope = { caller: { ...caller, sandbox: true }, request: {}, signal: new AbortController().signal };
  const answer: Answer<unknown> = await client.fetch(findCredit, { nss: '' }, scope, {});
  const isKnown =
    ofKnownAccount.has(answer.outcome) || answer.problems.some(({ code }) => code === 'INSUFFICIENT_UNITS');
  return isKnown ? null : (answer.problems[0] ?? null);
}
