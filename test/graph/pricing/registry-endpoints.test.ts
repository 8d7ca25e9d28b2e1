import { buildClientSchema, type GraphQLObjectType, getIntrospectionQuery, isObjectType } from 'graphql';
import { NOW } from '../../support/operations/employer-graph';
import { runPadron } from '../../support/padrons/padron';
import { padronForTests } from '../../support/padrons/padron-for-tests';

/** Prices, permissions and batch flags as interface.md tells them; where it names none, there is none. */
const table: readonly [string, number, string | null, boolean, readonly string[]][] = [
  ['POST /api/infonavit/grupo/buscar-credito', 1, 'use_buscar_credito', true, ['Person.credit']],
  ['POST /api/infonavit/grupo/obtener-cuenta', 1, 'use_obtener_cuenta', false, ['Person.housingAccount']],
  ['POST /api/sep/grupo/validar-cedula', 1, 'use_validar_cedula', false, ['Query.professionalLicence']],
  ['POST /api/sep/grupo/obtener-cedula', 1, 'use_buscar_cedula', true, ['Person.licences']],
  ['POST /api/sep/grupo/validar-certificado', 1, 'use_validar_certificado', true, ['Query.studyCertificate']],
  [
    'POST /api/sep/grupo/descargar-constancia-profesional',
    2,
    'use_descargar_constancia_profesional',
    false,
    ['Person.professionalStatus'],
  ],
  [
    'POST /api/sat/grupo/verificar-firma-electronica',
    1,
    'use_sat_verificar_firma_electronica',
    true,
    ['Mutation.verifySignature'],
  ],
  ['POST /api/renapo/grupo/valida-curp', 1, null, false, ['Person.identity']],
  ['POST /private/comprobantes-fiscales', 1, null, false, ['Employer.receipts', 'Employer.receiptsBetween']],
  ['POST /private/comprobantes-fiscales/descargar', 1, null, false, ['Employer.receiptFiles', 'EmployerReceipt.files']],
  ['GET /private/rps/snapshots', 1, null, false, ['Employer.snapshots']],
  ['POST /private/sujeto-obligado', 1, null, false, ['Employer.obligatedSubject']],
  ['POST /private/32d-imss', 1, null, false, ['Employer.complianceOpinion']],
];
/** What a JWT must name where the interface names no permission. */
const scopes: Readonly<Record<string, string>> = {
  'POST /api/renapo/grupo/valida-curp': 'padron_find_identity',
  'POST /private/comprobantes-fiscales': 'padron_list_receipts',
  'POST /private/comprobantes-fiscales/descargar': 'padron_download_receipt',
  'GET /private/rps/snapshots': 'padron_list_snapshots',
  'POST /private/sujeto-obligado': 'padron_resolve_obligated_subject',
  'POST /private/32d-imss': 'padron_issue_opinion',
};
const endpointsQuery = '{ registryEndpoints { endpoint units permission scope batch fields } }';

interface ListedEndpoint {
  readonly endpoint: string;
  readonly fields: readonly string[];
}

const padron = padronForTests({ now: () => NOW });

describe('Query.registryEndpoints', () => {
  it('tells every endpoint, its price, its permission, whether it may run in a batch, and where it is asked', async () => {
    const before = padron.spent();
    const { data, errors } = await padron.ask(endpointsQuery);
    expect(errors).toBeUndefined();
    const byEndpoint = (left: ListedEndpoint, right: ListedEndpoint) => left.endpoint.localeCompare(right.endpoint);
    expect([...data.registryEndpoints].sort(byEndpoint)).toEqual(
      table
        .map(([endpoint, units, permission, batch, fields]) => {
          const scope = permission ?? scopes[endpoint];
          return { endpoint, units, permission, scope, batch, fields };
        })
        .sort(byEndpoint),
    );
    expect(padron.calls()).toEqual([]);
    expect(padron.spent()).toBe(before);
  });

  it('names every field of the schema that answers with a lookup, and no other', async () => {
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
    expect(data.registryEndpoints).toHaveLength(table.length);
  });

  it('tells the path that the operator has set for an endpoint whose path the interface does not give', async () => {
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
