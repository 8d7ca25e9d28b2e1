import { type ConstDirectiveNode, type FieldDefinitionNode, Kind, parse, print, valueFromASTUntyped } from 'graphql';
import { readBalance } from '../../../src/graph/core/pricing/endpoints';
import { buildGraph } from '../../../src/graph/schema/build-schema';
import { padronForTests } from '../../support/padrons/padron-for-tests';

interface Listed {
  readonly endpoint: string;
  readonly units: number;
  readonly permission: string | null;
  readonly scope: string;
  readonly fields: readonly string[];
}

/** The cost and the scopes of a field in the printed schema. */
interface Printed {
  readonly cost: number;
  readonly scopes: readonly (readonly string[])[] | null;
}

/** Fields that ask no endpoint, and want a scope of padron's own. */
const ownScopes = [
  ['Query.registryProofs', 'padron_proofs'],
  ['Mutation.settleRegistryBilling', 'padron_ledger_settle'],
  ['Mutation.setRegistryBudget', 'padron_budgets'],
  ['Mutation.removeRegistryBudget', 'padron_budgets'],
  ['Mutation.eraseRegistrySubject', 'padron_erase'],
  ['Query.registryAudit', 'padron_audit'],
] as const;

const padron = padronForTests({ environment: { SCHEMA_SCOPES: 'true' } });

describe('the catalogue', () => {
  it('agrees with the code, with @cost and @requiresScopes of routers, and with registryEndpoints', async () => {
    const { data } = await padron.ask(
      '{ registryEndpoints { endpoint units permission scope fields } _service { sdl } }',
    );
    const listed: readonly Listed[] = data.registryEndpoints;
    const served = buildGraph().catalogue.filter(({ fields }) => fields.length > 0);
    expect(listed).toEqual(
      served.map(({ endpoint: { method, path, units, permission, scope }, fields }) => ({
        endpoint: `${method} ${path}`,
        units,
        permission,
        scope,
        fields,
      })),
    );
    const expected = listed.flatMap(({ units, scope, fields }) =>
      fields.map((coordinate): [string, Printed] => [
        coordinate,
        // A router cannot count months: it reckons with a year.
        {
          cost: coordinate === 'Employer.receiptsBetween' ? 12 * units : units,
          scopes: [[scope]],
        },
      ]),
    );
    const own = ownScopes.map(([coordinate, scope]): [string, Printed] => [coordinate, { cost: 0, scopes: [[scope]] }]);
    expect(printedFields(data._service.sdl)).toEqual(new Map([...expected, ...own]));
  });

  it('has a scope for every endpoint, defined by padron if the interface names no permission', () => {
    const endpoints = [...buildGraph().catalogue.map(({ endpoint }) => endpoint), readBalance];
    const own = endpoints.filter(({ permission }) => permission === null).map(({ scope }) => scope);
    expect(own.filter((scope) => !/^padron_[a-z_]+$/.test(scope))).toEqual([]);
    expect(new Set(endpoints.map(({ scope }) => scope)).size).toBe(endpoints.length);
  });

  it('prints permissions only if the setting asks for them', () => {
    expect(buildGraph().sdl).not.toContain('requiresScopes');
  });
});

/** Every field with a price or a permission, by its coordinate. */
function printedFields(sdl: string): ReadonlyMap<string, Printed> {
  const fields = parse(sdl).definitions.flatMap((node) => {
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.OBJECT_TYPE_EXTENSION) return [];
    return (node.fields ?? []).map((field): [string, Printed] => [
      `${node.name.value}.${field.name.value}`,
      read(field),
    ]);
  });
  return new Map(fields.filter(([, { cost, scopes }]) => cost > 0 || scopes !== null));
}

function read({ directives = [] }: FieldDefinitionNode): Printed {
  const weight = argumentOf(directives, 'cost');
  const scopes = argumentOf(directives, 'requiresScopes');
  return { cost: Number(weight ?? 0), scopes: (scopes as Printed['scopes'] | undefined) ?? null };
}

function argumentOf(directives: readonly ConstDirectiveNode[], name: string): unknown {
  const found = directives.filter((directive) => directive.name.value === name);
  if (found.length > 1) throw new Error(`Twice on one field: ${found.map(print).join(' ')}`);
  const value = found[0]?.arguments?.[0]?.value;
  return value && valueFromASTUntyped(value);
}
