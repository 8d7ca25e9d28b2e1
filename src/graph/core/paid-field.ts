import { Directive, Extensions } from 'type-graphql';
import type { AnyEndpoint } from '../../registry/endpoint/endpoint';

export interface PaidFieldExtension {
  readonly endpoint: AnyEndpoint;
}

/**
 * Marks a field that makes paid calls. The endpoint provides its price for routers (`@cost`) and its entry in the catalogue.
 * `calls` is the number of calls that a router should assume if the field makes more than one.
 */
export function PaidField(endpoint: AnyEndpoint, calls = 1): MethodDecorator {
  const paidField: PaidFieldExtension = { endpoint };
  return (target, key, descriptor) => {
    Directive(`@cost(weight: ${endpoint.units * calls})`)(target, key, descriptor);
    Extensions({ paidField })(target, key, descriptor);
  };
}
