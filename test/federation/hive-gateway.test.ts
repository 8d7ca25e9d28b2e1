import { people } from '../../src/extensions/sandbox/data/people';
import { credentialOf, signatureForm, TODAY, VERIFY } from '../support/keys/signatures';
import { ACCOUNT, CREDIT } from '../support/operations/people-endpoints';
import { postForm } from '../support/requests/multipart';
import { askGateway, type Gateway } from './gateways/gateway';
import { hiveInstalled, startHive } from './hive/hive';
import { ana } from './hr';
import { type Subgraphs, startSubgraphs } from './subgraphs';

/** A gateway with scopes in the schema and a limit of three units by `@cost`. */
(hiveInstalled ? describe : describe.skip)('@graphql-hive/gateway', () => {
  let subgraphs: Subgraphs;
  let gateway: Gateway;
  beforeAll(async () => {
    subgraphs = await startSubgraphs({ SCHEMA_SCOPES: 'true' }, () => TODAY);
    gateway = await startHive(subgraphs.supergraph, { maxUnits: 3 });
  });
  afterAll(async () => {
    await gateway?.stop();
    await subgraphs?.stop();
  });
  beforeEach(() => {
    subgraphs.padron.calls();
    subgraphs.between.reset();
  });

  const everything =
    'use_buscar_credito use_obtener_cuenta use_descargar_constancia_profesional padron_list_receipts padron_download_receipt';
  const ask = (query: string, scopes = everything) =>
    askGateway(gateway, { query }, { authorization: subgraphs.freshAuthorization(), 'x-test-scopes': scopes });
  const filesOfYear =
    '{ employer(registration: "Y6099999101") { receiptsBetween(from: "2025-01", to: "2025-12") { records { files { outcome } } } } }';
  const aboutAna = (fields: string) => `{ person(nss: "${ana.nss}") { ${fields} } }`;

  it('forwards the files of a signature', async () => {
    const headers = {
      authorization: subgraphs.freshAuthorization(),
      'x-test-scopes': 'use_sat_verificar_firma_electronica',
    };
    const { data, errors } = await postForm(gateway.url, signatureForm(credentialOf('person')), headers);
    expect(errors).toBeUndefined();
    expect(data.verifySignature).toMatchObject({ outcome: 'FOUND', valid: true });
    expect(subgraphs.padron.calls()).toEqual([VERIFY]);
  });

  it('accepts an operation whose cost equals the limit', async () => {
    const { data } = await ask(aboutAna('credit { outcome } professionalStatus { outcome }'));
    expect(data.person).toEqual({ credit: { outcome: 'FOUND' }, professionalStatus: { outcome: 'FOUND' } });
  });

  it.each([
    ['a person', aboutAna('credit { outcome } housingAccount { outcome } professionalStatus { outcome }'), 4],
    [
      'a range of months',
      '{ employer(registration: "Y6099999101") { receiptsBetween(from: "2026-01", to: "2026-02") { outcome } } }',
      12,
    ],
    ['the files of a year', filesOfYear, 36],
    [
      'fields below another subgraph',
      '{ employees { id person { credit { outcome } housingAccount { outcome } professionalStatus { outcome } } } }',
      4,
    ],
  ])('rejects %s by its @cost, without a call', async (_what, query, estimated) => {
    const { errors } = await ask(query);
    expect(errors?.[0]?.extensions).toEqual({ code: 'COST_ESTIMATED_TOO_EXPENSIVE', cost: { estimated, max: 3 } });
    expect(subgraphs.between.requests).toEqual([]);
    expect(subgraphs.padron.calls()).toEqual([]);
  });

  it('estimates the files of a year like padron', async () => {
    const { data } = await askGateway(
      gateway,
      {
        query: 'query Price($operation: String!) { unitEstimate(input: { operation: $operation }) { estimatedUnits } }',
        variables: { operation: filesOfYear },
      },
      { authorization: subgraphs.freshAuthorization() },
    );
    expect(data.unitEstimate.estimatedUnits).toBe(36);
  });

  it("counts a list of entities once, so that it cannot replace padron's budget", async () => {
    const query = '{ employees(ids: ["e1", "e2"]) { person { credit { outcome } housingAccount { outcome } } } }';
    const { errors } = await ask(query);
    expect(errors).toBeUndefined();
    expect([...subgraphs.padron.calls()].sort()).toEqual([CREDIT, CREDIT, ACCOUNT, ACCOUNT]);
  });

  it('makes no call that the caller has no permission for, and makes the others', async () => {
    const { data, errors } = await ask(aboutAna('credit { outcome } housingAccount { outcome }'), 'use_buscar_credito');
    expect(data.person).toEqual({ credit: { outcome: 'FOUND' }, housingAccount: null });
    expect(errors).toMatchObject([
      { path: ['person', 'housingAccount'], extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } },
    ]);
    expect(subgraphs.padron.calls()).toEqual([CREDIT]);
  });

  it('requires a scope defined by padron if the interface names no permission', async () => {
    const query = `{ person(curp: "${people[3]?.curp}") { identity { outcome } } }`;
    const refused = await ask(query, 'use_buscar_credito');
    expect(refused.data.person.identity).toBeNull();
    expect(subgraphs.padron.calls()).toEqual([]);
    const { data } = await ask(query, 'padron_find_identity');
    expect(data.person.identity.outcome).toBe('FOUND');
  });
});
