import { findCredit } from '../../graph/domains/housing/endpoints';
import type { Answer } from '../../registry/answer/answer';
import type { Exchange } from '../../registry/answer/exchange';
import { type Problem, problem } from '../../registry/answer/problem';
import { isServiceRefusal } from '../../registry/answer/rejection';
import type { Caller } from '../../registry/caller';
import type { RegistryClient } from '../../registry/client/client';
import type { HttpResponse } from '../../registry/transport/transport';

/** Statuses of refusals that prove that the service knows the account. It answers 401 to an unknown token before it checks anything else. */
const refusals: ReadonlySet<number> = new Set([400, 402, 403, 422]);

/**
 * Checks with the service whether it knows the caller's token. The call is never charged: it uses the service's sandbox
 * mode, and without the required `nss` no person is looked up. Returns null if the service knows the token, or a problem
 * if padron cannot find out, for example because a firewall answers. Throws an `UnauthenticatedError` if the service rejects the token.
 * `onExchange` receives the service's reply.
 */
export async function checkAccount(
  client: RegistryClient,
  caller: Caller,
  onExchange: ((exchange: Exchange) => void) | null = null,
): Promise<Problem | null> {
  const { signal } = new AbortController();
  const scope = { caller: { ...caller, sandbox: true }, request: {}, signal };
  let response: HttpResponse | null = null;
  const receive = (exchange: Exchange): void => {
    if (exchange.result.kind === 'delivered') response = exchange.result;
    onExchange?.(exchange);
  };
  const answer: Answer<unknown> = await client.fetch(
    findCredit,
    { nss: '' },
    scope,
    {},
    { signal, onExchange: receive },
  );
  if (answer.outcome === 'FOUND' || answer.outcome === 'NOT_FOUND') return null;
  const refusal = response as HttpResponse | null;
  if (refusal === null || !refusals.has(refusal.status)) return answer.problems[0] ?? null;
  return isServiceRefusal(refusal) ? null : unknownRefusal(refusal.status);
}

const unknownRefusal = (status: number): Problem =>
  problem('UNUSABLE_ANSWER', {
    message: `HTTP ${status} without the body that the service documents. A firewall or a proxy may not know the address of this machine.`,
    spanish: `HTTP ${status} sin el cuerpo que el servicio documenta. Es posible que un cortafuegos o un proxy no conozca la dirección de este equipo.`,
  });
