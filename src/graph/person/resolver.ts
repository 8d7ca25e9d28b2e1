import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import { Curp, Nss } from '../scalars/scalars';
import { parseEntityKey } from '../validation/entity-key';
import { type IdentityKey, judgeConsistency } from './consistency';
import { Inquiry } from './inquiry';
import { providedFacts } from './review';
import { Person, PersonConsistency, PersonNameInput } from './types';

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
    return { nss: nss ?? null, curp: curp ?? null, name: name ?? null, inquiry: new Inquiry() };
  }

  @FieldResolver(() => PersonConsistency, {
    nullable: true,
    description: `Whether what this operation learns of the person is about one person. Free: it waits for the lookups that are selected beside it,
in whatever order, and asks nothing by itself. Alone it is INSUFFICIENT; a router that splits an operation splits what it sees.`,
  })
  async consistency(@Root() person: Person, @Ctx() context: Context): Promise<PersonConsistency> {
    const findings = await person.inquiry.settle();
    return judgeConsistency(claimedKeys(person), providedFacts(context, person), findings);
  }
}

function claimedKeys({ nss, curp, name }: Person): readonly IdentityKey[] {
  const claims: readonly (readonly [IdentityKey, unknown])[] = [
    ['NSS', nss],
    ['CURP', curp],
    ['NAMES', name],
  ];
  return claims.filter(([, value]) => value !== null).map(([key]) => key);
}

/** A person as another subgraph names it. Asks nothing and never throws: one throw would null every entity of the batch. */
export function resolvePersonReference(key: { readonly nss?: unknown; readonly curp?: unknown }): Person {
  return { nss: parseEntityKey(key.nss), curp: parseEntityKey(key.curp), name: null, inquiry: new Inquiry() };
}
