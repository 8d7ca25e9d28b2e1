import { Arg, Query, Resolver } from 'type-graphql';
import { Curp, Nss } from '../scalars/scalars';
import { parseEntityKey } from '../validation/entity-key';
import { Person, PersonNameInput } from './types';

@Resolver(() => Person)
export class PersonResolver {
  @Query(() => Person, {
    nullable: true,
    description: 'A person by any identifiers you hold. Asks nothing by itself: each field asks its own registry.',
  })
  person(
    @Arg('nss', () => Nss, { nullable: true, description: 'Social security number.' }) nss: string | null,
    @Arg('curp', () => Curp, { nullable: true, description: 'Population registry code.' }) curp: string | null,
    @Arg('name', () => PersonNameInput, { nullable: true, description: 'The name, for the search of licences.' })
    name: PersonNameInput | null,
  ): Person {
    return { nss: nss ?? null, curp: curp ?? null, name: name ?? null };
  }
}

/** A person as another subgraph names it. Asks nothing and never throws: one throw would null every entity of the batch. */
export function resolvePersonReference(key: { readonly nss?: unknown; readonly curp?: unknown }): Person {
  return { nss: parseEntityKey(key.nss), curp: parseEntityKey(key.curp), name: null };
}
