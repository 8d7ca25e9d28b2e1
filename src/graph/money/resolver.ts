import { Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../context';
import { RegistryEndpoint } from './types';

@Resolver()
export class MoneyResolver {
  @Query(() => [RegistryEndpoint], {
    nullable: true,
    description: 'What each endpoint costs, which permission it needs and whether it may run in a batch. Free.',
  })
  registryEndpoints(@Ctx() { catalogue, registry }: Context): RegistryEndpoint[] {
    return catalogue.map(({ endpoint, fields }) => {
      const { units, permission, batch } = endpoint;
      return { endpoint: registry.address(endpoint), units, permission, batch, fields };
    });
  }
}
