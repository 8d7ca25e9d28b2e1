import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Units } from '../registry/units';

/** What a request's line in the log tells beside its HTTP facts. */
export interface Told {
  operation: string | null;
  readonly units: Units;
}

declare module 'fastify' {
  interface FastifyRequest {
    told: Told | null;
  }
}

/** One line a request, made of fields that cannot hold an identifier: the place where the log is kept free of people. */
export function logRequest(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { told } = request;
  const outcomes: Record<string, number> = {};
  for (const { outcome } of told?.units.calls ?? []) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  log.info(
    {
      requestId: request.id,
      operation: told?.operation ?? null,
      account: request.account?.account ?? null,
      status: reply.statusCode,
      outcomes,
      units: told?.units.spent ?? 0,
      uncertain: told?.units.uncertain ?? 0,
      saved: told?.units.saved ?? 0,
      ms: Math.round(reply.elapsedTime),
    },
    'request',
  );
}

/** A developer names operations, but nothing stops one from naming it by a CURP: long runs of digits are not names. */
export function loggableName(name: string | null): string | null {
  return name !== null && name.length <= 64 && !/\d{4}/.test(name) ? name : null;
}
