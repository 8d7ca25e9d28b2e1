import { priceOf } from '../../schema/client/price-of';
import { base64Input, credentialOf, signatureForm, TODAY, VERIFY, verifyMutation } from '../support/keys/signatures';
import { SNAPSHOTS } from '../support/operations/employer-graph';
import { lookup } from '../support/operations/lookup';
import { CREDIT } from '../support/operations/people-endpoints';
import type { StandIn } from '../support/proxies/tampering-proxy';
import { postForm } from '../support/requests/multipart';
import { startApolloGateway } from './gateways/apollo-gateway';
import { askGateway, collect, type Gateway, gateways } from './gateways/gateway';
import { ana, builder, malformedNss, zoe } from './hr';
import { promisesOf } from './promises';
import { type Subgraphs, startSubgraphs } from './subgraphs';

const staff = `{ employees { id fullName person { nss credit { ${lookup} record { nss hasCredit names rfc } } }
  company { name employer { registration snapshots { ${lookup} records { name capturedAt } } } } } }`;
const twoCredits = '{ employees(ids: ["e1", "e2"]) { id person { credit { outcome } } } }';

const failures: readonly (readonly [string, ReturnType<StandIn>])[] = [
  ['does not answer', (response) => void response.destroy()],
  ['is shutting down', { status: 503, json: { errors: [{ message: 'x', extensions: { code: 'SHUTTING_DOWN' } }] } }],
  ['is replaced by an error page', { status: 502, bytes: Buffer.from('<h1>Bad gateway at 10.1.2.3</h1>') }],
];

for (const kind of gateways) {
  (kind.installed ? describe : describe.skip)(`padron behind ${kind.name}`, () => {
    const promise = promisesOf(kind);
    let subgraphs: Subgraphs;
    let gateway: Gateway;
    let authorization: string;
    const ask = (query: string, variables: unknown = {}, headers: Readonly<Record<string, string>> = {}) =>
      askGateway(gateway, { query, variables }, { authorization, ...headers });

    beforeAll(async () => {
      subgraphs = await startSubgraphs({ REPLAY_SECONDS: '30', PURPOSES: 'hiring' }, () => TODAY);
      gateway = await kind.start(subgraphs.supergraph);
    });
    afterAll(async () => {
      await gateway?.stop();
      await subgraphs?.stop();
    });
    beforeEach(() => {
      authorization = subgraphs.freshAuthorization();
      subgraphs.padron.calls();
      subgraphs.between.reset();
    });

    promise('entities', async () => {
      const { data, errors } = await ask(staff);
      expect(errors).toBeUndefined();
      const [first, second, typo, nobody, again] = data.employees;
      expect(first).toMatchObject({
        fullName: 'Ana',
        person: {
          nss: ana.nss,
          credit: { outcome: 'FOUND', record: { nss: ana.nss, names: ana.names, rfc: ana.rfc } },
        },
        company: { employer: { registration: builder.registration, snapshots: { outcome: 'FOUND' } } },
      });
      expect(second.person.credit).toMatchObject({ outcome: 'FOUND', record: { nss: zoe.nss } });
      expect(typo.person).toMatchObject({
        nss: malformedNss,
        credit: { outcome: 'INVALID_INPUT', record: null, problems: [{ code: 'INVALID_FORMAT', path: ['nss'] }] },
      });
      expect(nobody).toMatchObject({ person: null, company: { employer: null } });
      expect(again.person.credit.record).toEqual(first.person.credit.record);
    });

    it('pays once for each person and employer, however many requests the gateway makes', async () => {
      await ask(staff);
      expect([...subgraphs.padron.calls()].sort()).toEqual([SNAPSHOTS, CREDIT, CREDIT]);
      expect(subgraphs.between.requests.length).toBe(kind.requestsForTwoEntities);
    });

    it('pays once for a person in two parts of the query that become two requests', async () => {
      const credit = 'credit { outcome evidence { validationCode units } }';
      const both = `query ($nss: NSS) { employees(ids: ["e1"]) { person { ${credit} } } person(nss: $nss) { ${credit} } }`;
      const { data } = await ask(both, { nss: ana.nss });
      const credits = [data.employees[0].person.credit, data.person.credit];
      expect(credits.map(({ outcome }) => outcome)).toEqual(['FOUND', 'FOUND']);
      expect(new Set(credits.map(({ evidence }) => evidence.validationCode)).size).toBe(1);
      expect(credits.map(({ evidence }) => evidence.units).sort()).toEqual([0, 1]);
      expect(subgraphs.between.requests.length).toBe(2);
      expect(subgraphs.padron.calls()).toEqual([CREDIT]);
    });

    promise('price', async () => {
      const document = 'query Credit($nss: NSS!) { person(nss: $nss) { credit { outcome } } }';
      const price = await priceOf(document, { nss: ana.nss }, { url: gateway.url, headers: { authorization } });
      expect(price).toMatchObject({
        estimatedUnits: 1,
        atMost: 1,
        endpoints: [{ fields: ['person.credit'], calls: 1 }],
      });
      expect(subgraphs.padron.calls()).toEqual([]);
      expect(subgraphs.padron.spent(authorization.replace('Bearer ', ''))).toBe(0);
    });

    it.each([
      ['its own fields', `{ person(nss: "${ana.nss}") { credit { outcome } } }`, { person: null }],
      [
        'entities',
        '{ employees(ids: ["e1"]) { person { credit { outcome } } } }',
        { employees: [{ person: { credit: null } }] },
      ],
      ['a mutation', verifyMutation, { verifySignature: null }],
    ])('says that a dry run has run nothing: of %s', async (_fields, query, expected) => {
      const input = base64Input(credentialOf('person'));
      const { data, errors } = await ask(query, query === verifyMutation ? { input } : {}, { 'x-dry-run': 'true' });
      // Apollo Router nulls the data if nothing else was selected.
      expect([expected, null]).toContainEqual(data);
      expect(errors).toMatchObject([
        {
          message: 'Nothing was run. Ask `unitEstimate` for the price.',
          extensions: { code: 'DRY_RUN', [kind.serviceKey]: 'padron' },
        },
      ]);
      expect(subgraphs.padron.calls()).toEqual([]);
    });

    it('carries the evidence unchanged', async () => {
      const received: unknown[] = [];
      subgraphs.between.tamper(({ json }) => {
        received.push(...collect(json, 'evidence'));
        return null;
      });
      const { data } = await ask(staff);
      const shown = collect(data, 'evidence');
      expect(shown.length).toBe(7);
      for (const evidence of shown) expect(received).toContainEqual(evidence);
      expect(data.employees[0].person.credit.evidence).toMatchObject({
        validationCode: expect.stringMatching(/^\w{20}$/),
        checkedAt: expect.stringMatching(/Z$/),
        endpoint: CREDIT,
        status: 200,
        billing: 'CHARGED',
      });
    });

    promise('headers', async () => {
      const money = {
        'x-max-units': '9',
        'x-purpose': 'hiring',
        'x-reference': 'case-7',
        'x-operation-id': 'of-the-client',
      };
      const headers = { 'x-sandbox': 'true', 'x-answer-within': '30s', 'x-dry-run': 'false', ...money };
      const before = subgraphs.hr.requests.length;
      await ask(twoCredits, {}, headers);
      const account = authorization.replace('Bearer ', '');
      expect(subgraphs.padron.callsInFull()).toMatchObject(Array(2).fill({ account, sandbox: true, units: 0 }));
      expect(subgraphs.between.requests[0]?.headers).toMatchObject({ authorization, ...headers });
      const sent = subgraphs.hr.requests.slice(before).flatMap((each) => Object.keys(each));
      expect(sent).toContain('content-type');
      const secret = ['authorization', 'x-subgraph-secret', ...Object.keys(headers)];
      expect(sent.filter((name) => secret.includes(name))).toEqual([]);
    });

    it('does not let clients bypass the gateway', async () => {
      const around = await askGateway(
        { ...gateway, url: subgraphs.padron.url },
        { query: twoCredits },
        { authorization },
      );
      expect([around.status, around.data]).toEqual([403, undefined]);
      expect(subgraphs.padron.calls()).toEqual([]);
    });

    it.each([
      ['is refused', { authorization: 'Bearer nobody' }],
      ['is missing', { authorization: '' }],
    ])('reports UNAUTHENTICATED if the token %s, and keeps fields that need none', async (_case, headers) => {
      const { data, errors } = await ask(twoCredits, {}, headers);
      expect(data.employees).toMatchObject([
        { id: 'e1', person: { credit: null } },
        { id: 'e2', person: { credit: null } },
      ]);
      const expected = { code: 'UNAUTHENTICATED', [kind.serviceKey]: 'padron' };
      // Hive Router adds the place in the answer.
      const found = errors?.map(({ extensions: { affectedPath: _, ...extensions } }) => extensions);
      expect(found).toEqual([expected, expected]);
    });

    it.each(failures)('keeps the rest of the answer if padron %s', async (_case, failure) => {
      subgraphs.between.standIn(() => failure);
      const { status, data, errors, text } = await ask(staff);
      expect(status).toBe(200);
      expect(data.employees[0]).toMatchObject({
        fullName: 'Ana',
        person: { nss: ana.nss, credit: null },
        company: { name: 'The builder', employer: { registration: builder.registration, snapshots: null } },
      });
      expect(errors?.length).toBeGreaterThan(0);
      // The address of padron must not be in the error.
      expect(text).not.toMatch(/127\.0\.0\.1|10\.1\.2\.3/);
    });

    it('does not retry if a paid answer is lost', async () => {
      subgraphs.between.tamper(() => (response) => void response.destroy());
      const { data } = await ask(twoCredits);
      expect(data.employees[0].person.credit).toBeNull();
      expect(subgraphs.between.requests.length).toBe(1);
      expect(subgraphs.padron.calls()).toEqual([CREDIT, CREDIT]);
    });

    promise('base64', async () => {
      const submission = credentialOf('person');
      const { data, errors, text } = await ask(verifyMutation, { input: base64Input(submission) });
      expect(errors).toBeUndefined();
      expect(data.verifySignature).toMatchObject({ outcome: 'FOUND', valid: true, evidence: { units: 1 } });
      expect(text).not.toContain(submission.password);
      expect(subgraphs.padron.calls()).toEqual([VERIFY]);
    });

    promise('password', async () => {
      const { privateKey: _missing, ...input } = base64Input(credentialOf('person'));
      const { errors, text } = await ask(verifyMutation, { input });
      expect(errors?.length).toBe(1);
      expect(text).not.toContain(input.password);
      expect(subgraphs.between.requests).toEqual([]);
    });
  });
}

describe('@apollo/gateway', () => {
  it('does not forward multipart: a signature is sent as base64', async () => {
    const subgraphs = await startSubgraphs({}, () => TODAY);
    const gateway = await startApolloGateway(subgraphs.supergraph);
    subgraphs.between.reset();
    const { status, data } = await postForm(gateway.url, signatureForm(credentialOf('person')));
    expect([status, data, subgraphs.between.requests]).toEqual([400, undefined, []]);
    await gateway.stop();
    await subgraphs.stop();
  });

  it('rejects the supergraph with SCHEMA_SCOPES=true, which is why permissions are not printed by default', async () => {
    const subgraphs = await startSubgraphs({ SCHEMA_SCOPES: 'true' });
    await expect(startApolloGateway(subgraphs.supergraph)).rejects.toThrow(
      /requiresScopes.* is for: SECURITY but is unsupported/,
    );
    await subgraphs.stop();
  });
});
