import { buildClientSchema, type GraphQLObjectType, getIntrospectionQuery, isObjectType } from 'graphql';
import { coverageQuestions } from '../../../support/operations/coverage-questions';
import { NOW } from '../../../support/operations/employer-graph';
import { runPadron } from '../../../support/padrons/padron';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { documentedEndpoints } from '../../../support/registry-interface';

/** Every endpoint that a field calls: all of the OpenAPI document but the balance. */
const documented = documentedEndpoints.filter(({ name }) => name !== 'readBalance');
/** Fields of an endpoint that are known to call it, because the coverage test asks them. */
const coveredFields = (name: string): readonly string[] =>
  coverageQuestions.filter((question) => question.endpoint === name).map(({ field }) => field);
const endpointsQuery = '{ registryEndpoints { endpoint units permission scope batch fields } }';

interface Addressed {
  readonly endpoint: string;
}

interface ListedEndpoint extends Addressed {
  readonly fields: readonly string[];
}

const padron = padronForTests({ now: () => NOW });

describe('Query.registryEndpoints', () => {
  it('lists every endpoint with its price, permission, batch flag and fields', async () => {
    const before = padron.spent();
    const { data, errors } = await padron.ask(endpointsQuery);
    expect(errors).toBeUndefined();
    const byEndpoint = (left: Addressed, right: Addressed) => left.endpoint.localeCompare(right.endpoint);
    expect([...data.registryEndpoints].sort(byEndpoint)).toEqual(
      documented
        .map(({ name, endpoint, units, permission, batch }) => ({
          endpoint,
          units,
          permission,
          scope: permission ?? expect.stringMatching(/^padron_[a-z_]+$/),
          batch,
          fields: expect.arrayContaining([...coveredFields(name)]),
        }))
        .sort(byEndpoint),
    );
    expect(padron.calls()).toEqual([]);
    expect(padron.spent()).toBe(before);
  });

  it('lists exactly the fields of the schema that return a lookup', async () => {
    const [{ data }, introspection] = await Promise.all([
      padron.ask(endpointsQuery),
      padron.ask(getIntrospectionQuery()),
    ]);
    const schema = buildClientSchema(introspection.data);
    const paid = Object.values(schema.getTypeMap())
      .filter(isObjectType)
      .flatMap((type) => lookupFieldsOf(type));
    expect(data.registryEndpoints.flatMap(({ fields }: ListedEndpoint) => fields).sort()).toEqual(paid.sort());
  });

  it('needs no token', async () => {
    const { data, errors } = await padron.ask(endpointsQuery, {}, { authorization: '' });
    expect(errors).toBeUndefined();
    expect(data.registryEndpoints).toHaveLength(documented.length);
  });

  it('shows the path that the operator set for an endpoint whose path the interface does not give', async () => {
    const identityPath = '/api/renapo/otra-ruta';
    const moved = await runPadron({ environment: { IDENTITY_PATH: identityPath }, sandbox: { identityPath } });
    const { data } = await moved.ask(endpointsQuery);
    await moved.stop();
    const identity = data.registryEndpoints.find(({ fields }: ListedEndpoint) => fields.includes('Person.identity'));
    expect(identity.endpoint).toBe(`POST ${identityPath}`);
  });
});

/** Coordinates of the fields whose type is a lookup: those are the ones that put a question. */
function lookupFieldsOf(type: GraphQLObjectType): readonly string[] {
  return Object.values(type.getFields())
    .filter((field) => /^\[?\w*(Lookup|SignatureVerification)!?\]?$/.test(String(field.type)))
    .map(({ name }) => `${type.name}.${name}`);
}
