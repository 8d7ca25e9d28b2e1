import { Extensions } from 'type-graphql';
import type { AnyEndpoint } from '../../registry/endpoint/endpoint';

export interface PaidFieldExtension {
  readonly endpoint: AnyEndpoint;
  /** Number of calls that a router should assume for a field that returns a list of lookups. */
  readonly calls: number;
}

/** Marks a field that makes paid calls. The endpoint provides its price for routers (`@cost`) and its entry in the catalogue. */
export function PaidField(endpoint: AnyEndpoint, calls = 1): MethodDecorator {
  const paidField: PaidFieldExtension = { endpoint, calls };
  return Extensions({ paidField });
}
