import { Directive, Extensions } from 'type-graphql';
import type { AnyEndpoint } from '../registry/endpoint/endpoint';

/** What a field's schema extension holds of the endpoint that it asks. */
export interface PaidFieldExtension {
  readonly endpoint: AnyEndpoint;
}

/**
 * Marks a field that puts a paid question: its price for routers (`@cost`) and its place in the catalogue come from the endpoint.
 * `calls` is how many a router should reckon with where the field asks more than once.
 */
export function PaidField(endpoint: AnyEndpoint, calls = 1): MethodDecorator {
  const paidField: PaidFieldExtension = { endpoint };
  return (target, key, descriptor) => {
    Directive(`@cost(weight: ${endpoint.units * calls})`)(target, key, descriptor);
    Extensions({ paidField })(target, key, descriptor);
  };
}
