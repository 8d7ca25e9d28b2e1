import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OTHER_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { bearer, JWT_SECRET, signedBySecret } from '../../support/keys/identity-provider';
import { CREDIT } from '../../support/operations/people-endpoints';
import { type GraphqlAnswer, post, type RunningPadron, runPadron } from '../../support/padrons/padron';
import { withPadron } from '../../support/padrons/with-padron';
import { scrapeMetrics } from '../../support/requests/scrape-metrics';
import { engineRig } from '../../support/stores/engines';

const nss = '04159600263';
const credit = 'query Credit($nss: NSS!) { person(nss: $nss) { credit { outcome } } }';
const untrusted = 'query Other($nss: NSS!) { person(nss: $nss) { credit { outcome problems { code } } } }';
const price = 'query Price($input: UnitEstimateInput!) { unitEstimate(input: $input) { estimatedUnits } }';
const create =
  'mutation Create($input: RegistryBatchInput!) { createRegistryBatch(input: $input) { batch { state } problems { code } } }';

const TRUSTED_DOCUMENTS = mkdtempSync(join(tmpdir(), 'padron-trusted-'));
[credit, price, create].forEach((text, index) => {
  writeFileSync(join(TRUSTED_DOCUMENTS, `${index}.graphql`), text);
});
afterAll(() => rmSync(TRUSTED_DOCUMENTS, { recursive: true }));

const withJwts = { environment: { TRUSTED_DOCUMENTS, REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET } };
const withScope = (scope: string) => bearer({ scope, azp: 'frontend' });
const codesOf = ({ errors }: Pick<GraphqlAnswer, 'errors'>) => errors?.map(({ extensions }) => extensions.code);

describe('the scope padron_explore', () => {
  const scope = 'use_buscar_credito padron_batch padron_explore';

  it('lets a caller send other operations, which are counted', () =>
    withPadron(withJwts, async (padron) => {
      const { data } = await padron.ask(untrusted, { nss }, withScope(scope));
      expect([data.person.credit.outcome, padron.calls()]).toEqual(['FOUND', [CREDIT]]);
      expect((await scrapeMetrics(padron)).of('padron_untrusted_operations_total', { action: 'explored' })).toBe(1);
      expect(padron.log.join()).not.toContain('not a trusted document');
    }));

  it.each([
    ['another scope', () => withScope('use_buscar_credito')],
    ['no token', () => ({ authorization: '' })],
    ['a token that nobody signed', () => ({ authorization: `Bearer ${signedBySecret('x'.repeat(32), { scope })}` })],
  ])('is missing with %s', (_, headers) =>
    withPadron(withJwts, async (padron) => {
      expect(codesOf(await padron.ask(untrusted, { nss }, headers()))).toEqual(['OPERATION_NOT_TRUSTED']);
      expect(padron.calls()).toEqual([]);
    }),
  );

  it('lets no text of its caller run for others by its hash', () =>
    withPadron(withJwts, async (padron) => {
      const extensions = {
        persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(untrusted).digest('hex') },
      };
      const body = { extensions, variables: { nss } };
      expect(codesOf(await post(padron.url, { ...body, query: untrusted }, withScope(scope)))).toBeUndefined();
      padron.calls();
      expect(codesOf(await post(padron.url, body, withScope('use_buscar_credito')))).toEqual([
        'PERSISTED_QUERY_NOT_SUPPORTED',
      ]);
      expect(padron.calls()).toEqual([]);
    }));
});

describe('the operation of an estimate or a batch', () => {
  const rig = engineRig();
  const ask = (padron: RunningPadron, document: string, operation: string, scope: string) =>
    padron.ask(document, { input: { operation } }, withScope(scope));

  it.each([
    ['an estimate', price, 'use_buscar_credito'],
    ['a batch', create, 'use_buscar_credito padron_batch'],
  ])('must be trusted too: %s', async (_, document, scope) => {
    const { environment } = await rig.settings();
    await withPadron({ environment: { ...environment, ...withJwts.environment } }, async (padron) => {
      expect(codesOf(await ask(padron, document, credit, scope))).toBeUndefined();
      expect(codesOf(await ask(padron, document, untrusted, scope))).toEqual(['OPERATION_NOT_TRUSTED']);
      expect(codesOf(await ask(padron, document, untrusted, `${scope} padron_explore`))).toBeUndefined();
      expect(padron.calls()).toEqual([]);
    });
  });
});

describe('TRUSTED_DOCUMENTS_MODE=log', () => {
  it('runs other operations, and reports them', () =>
    withPadron({ environment: { TRUSTED_DOCUMENTS, TRUSTED_DOCUMENTS_MODE: 'log' } }, async (padron) => {
      const { data } = await padron.ask(untrusted, { nss });
      expect([data.person.credit.outcome, padron.calls()]).toEqual(['FOUND', [CREDIT]]);
      await padron.ask(credit, { nss });
      const lines = padron.log
        .filter((line) => line.includes('not a trusted document'))
        .map((line) => JSON.parse(line));
      expect(lines).toMatchObject([{ operation: 'Other', action: 'logged' }]);
      expect(JSON.stringify(lines)).not.toContain(nss);
      expect((await scrapeMetrics(padron)).of('padron_untrusted_operations_total')).toBe(1);
    }));
});

describe('documents that cannot be trusted stop the start', () => {
  const startWith = async (files: Readonly<Record<string, string>>, path = '', environment = {}): Promise<string> => {
    const folder = mkdtempSync(join(TRUSTED_DOCUMENTS, 'start-'));
    mkdirSync(join(folder, 'node_modules'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const started = runPadron({ environment: { TRUSTED_DOCUMENTS: join(folder, path), ...environment } });
    const message = await started.then(
      (padron) => padron.stop().then(() => 'started'),
      (error: Error) => error.message,
    );
    rmSync(folder, { recursive: true });
    return message.replaceAll(folder, '');
  };

  it.each([
    [
      'a field that the schema lacks',
      'query A { person { shoeSize } }',
      'Cannot query field "shoeSize" on type "Person".',
    ],
    ['a syntax error', 'query A {', 'Syntax Error: Expected Name, found <EOF>.'],
    [
      'a subscription',
      'subscription A { person { nss } }',
      'The operation is a subscription. Use a query or a mutation.',
    ],
    [
      'too many levels',
      `query A { person ${'{ ...on Person '.repeat(210)}`,
      'The document is nested too deeply. Use at most 200 levels.',
    ],
  ])('%s', async (_, text, reason) => {
    const message = await startWith({ 'good.graphql': credit, 'bad.graphql': text });
    expect(message).toContain('  - TRUSTED_DOCUMENTS: /bad.graphql');
    expect(message).toContain(reason);
    expect(message).not.toContain('good.graphql');
  });

  it('with the operation and the ID of a file of GraphQL Code Generator', async () => {
    const file = JSON.stringify({
      'sha256:aa': credit,
      'sha256:bb': 'query B { nothing }',
      'sha256:cc': `${credit} query C { person { nss } }`,
    });
    const message = await startWith({ 'documents.json': file }, 'documents.json');
    expect(message).toContain(
      '/documents.json, operation B (sha256:bb): Cannot query field "nothing" on type "Query".',
    );
    expect(message).toContain('The document has 2 operations. Publish one document per operation.');
  });

  it('above a limit of a request', async () => {
    const message = await startWith({ 'a.graphql': credit }, '', { LIMIT_DEPTH: '3' });
    expect(message).toBe('started');
    const deep =
      'query A { employer(registration: "Y6012345101") { receipts(period: "2026-01") { records { files { outcome } } } } }';
    expect(await startWith({ 'a.graphql': deep }, '', { LIMIT_DEPTH: '3' })).toContain('5 levels deep. The limit is 3');
  });

  it('more verifications of signatures than one operation may have', async () => {
    const verify = ['a', 'b', 'c'].map((name) => `${name}: verifySignature(input: $input) { outcome }`).join(' ');
    const message = await startWith({ 'a.graphql': `mutation A($input: SignatureInput!) { ${verify} }` });
    expect(message).toContain('operation A: The operation verifies 3 signatures.');
  });

  it.each([
    ['a missing path', {}, 'missing.json', 'it cannot be read. Check the path.'],
    ['a folder without operations', { 'a.txt': credit }, '', 'there is no operation. Check the path.'],
    ['text that is not JSON', { 'a.json': 'nothing' }, 'a.json', 'it is not JSON.'],
    ['another JSON', { 'a.json': '{"operations":[]}' }, 'a.json', 'it must be a JSON object of IDs and documents.'],
    [
      'two fragments of the same name',
      { 'a.graphql': 'fragment F on Person { nss }', 'b.graphql': 'fragment F on Person { curp }' },
      '',
      '/b.graphql: another file has a different fragment F. Rename one of them.',
    ],
  ])('%s', async (_, files, path, reason) => {
    expect(await startWith(files as Readonly<Record<string, string>>, path)).toContain(reason);
  });

  it('reads two versions of a frontend, whose fragments may differ', async () => {
    const texts = ['nss', 'curp'].map(
      (field) => `query A { person(nss: "1") { ...F } } fragment F on Person { ${field} }`,
    );
    const folders = texts.map((text) => {
      const version = mkdtempSync(join(TRUSTED_DOCUMENTS, 'version-'));
      writeFileSync(join(version, 'a.graphql'), text);
      return version;
    });
    await withPadron({ environment: { TRUSTED_DOCUMENTS: folders.join(',') } }, async (padron) => {
      for (const text of texts) expect(codesOf(await padron.ask(text))).toBeUndefined();
    });
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  it('finds fragments in other files, and ignores the files of packages', async () => {
    const files = {
      'a.graphql': 'query A { person(nss: "1") { ...F } }',
      'f.gql': 'fragment F on Person { nss }',
      'node_modules/bad.graphql': 'query B { nothing }',
    };
    expect(await startWith(files)).toBe('started');
  });
});
