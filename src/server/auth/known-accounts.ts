import { LRUCache } from 'lru-cache';
import { findCredit } from '../../graph/domains/housing/endpoints';
import { type Answer, isAnswer, UnauthenticatedError } from '../../registry/answer/answer';
import { isServiceRefusal } from '../../registry/answer/envelope';
import type { Exchange } from '../../registry/answer/interpret';
import { type Problem, problem } from '../../registry/answer/problem';
import type { Caller } from '../../registry/caller';
import type { RegistryClient } from '../../registry/client/client';
import type { HttpResponse } from '../../registry/transport/transport';
import { times } from '../../times';

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
  const scope = { caller: { ...caller, sandbox: true }, request: {}, signal, prices: client.prices };
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
  if (isAnswer(answer)) return null;
  const refusal = response as HttpResponse | null;
  if (refusal === null || !refusals.has(refusal.status)) return answer.problems[0] ?? null;
  return isServiceRefusal(refusal) ? null : unknownRefusal(refusal.status);
}

const unknownRefusal = (status: number): Problem =>
  problem('UNUSABLE_ANSWER', {
    message: `HTTP ${status} without the body that the service documents. A firewall or a proxy may not know the address of this machine.`,
    spanish: `HTTP ${status} sin el cuerpo que el servicio documenta. Es posible que un cortafuegos o un proxy no conozca la dirección de este equipo.`,
  });

export type CheckAccount = (caller: Caller) => Promise<Problem | null>;

const maxAccounts = 10_000;

/** Accounts that the service accepted or rejected recently. They have separate caches, so that invented tokens cannot evict accepted accounts. */
export class KnownAccounts {
  private readonly accepted = new LRUCache<string, true>({ max: maxAccounts, ttl: times.knownAccount.accepted });
  private readonly rejected = new LRUCache<string, UnauthenticatedError>({
    max: maxAccounts,
    ttl: times.knownAccount.rejected,
  });
  private readonly running = new Map<string, Promise<Problem | null>>();

  constructor(private readonly check: CheckAccount) {}

  /**
   * Returns null if the service accepts the caller's token, or a problem if padron cannot find out now. Throws if the
   * service rejects the token.
   */
  async verify(caller: Caller): Promise<Problem | null> {
    const { account, usesServerToken } = caller;
    if (usesServerToken || this.accepted.has(account)) return null;
    const rejection = this.rejected.get(account);
    if (rejection !== undefined) throw rejection;
    const existing = this.running.get(account);
    if (existing !== undefined) return existing;
    const check = this.runCheck(caller).finally(() => this.running.delete(account));
    this.running.set(account, check);
    return check;
  }

  /** Returns why padron does not take the caller's token as valid, or null if it does. A JWT was verified before. */
  async findRefusal(caller: Caller): Promise<string | null> {
    if (caller.bearer === null) return 'This request needs a valid token. Send it in `authorization`.';
    try {
      const problem = await this.verify(caller);
      return problem === null ? null : `The token cannot be checked now: ${problem.message}`;
    } catch (error) {
      if (error instanceof UnauthenticatedError) return error.message;
      throw error;
    }
  }

  private async runCheck(caller: Caller): Promise<Problem | null> {
    try {
      const problem = await this.check(caller);
      if (problem === null) this.accepted.set(caller.account, true);
      return problem;
    } catch (error) {
      if (error instanceof UnauthenticatedError) this.rejected.set(caller.account, error);
      throw error;
    }
  }
}
