import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../../support/find-or-throw';
import { signedBySecret } from '../../../support/keys/identity-provider';
import { CREDIT } from '../../../support/operations/people-endpoints';
import { preparePadron } from '../../../support/padrons/ledger';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT as CREDIT_OF_ROW } from '../../../support/requests/batches';
import { sandboxForEachTest } from '../../../support/sandbox/sandbox-for-tests';
import { engineRig, engines } from '../../../support/stores/engines';

const { nss, curp, rfc } = findOrThrow(people, ({ credit }) => Boolean(credit));
const query = `query Labelled { person(nss: "${nss}") { credit { outcome } } }`;
const secret = 'a-secret-shared-with-the-identity-provider';
const read = '{ registryLedger(first: 1) { entries { client tag } } }';
type Headers = Readonly<Record<string, string>>;

describe('a label that the ledger cannot have', () => {
  const rig = engineRig();
  const padron = ledgerPadronForTests(rig, { REPLAY_SECONDS: '0' });
  const withPattern = ledgerPadronForTests(rig, {
    REPLAY_SECONDS: '0',
    TAG_PATTERN: 'CC-\\d{5}|[A-Z]{4}-?\\d{6}|.* .*',
  });
  const withJwt = ledgerPadronForTests(rig, { REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET: secret });

  /** Returns the header of the response, and the labels in the ledger. */
  const labelsOf = async (of: typeof padron, headers: Headers) => {
    const answer = await of.ask(query, {}, headers);
    expect(answer.data.person.credit.outcome).toBe('FOUND');
    const [entry] = (await of.ask(read)).data.registryLedger.entries;
    return [answer.headers['x-label-dropped'], entry.client, entry.tag];
  };
  const logged = (of: typeof padron) =>
    of.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('the ledger has no label'));

  it('is reported in the response, and once for each client in the log, without its value', async () => {
    const both = { 'x-tag': 'CC-10245', 'x-client-name': 'nomina-2026' };
    for (const _ of [1, 2]) expect(await labelsOf(padron, both)).toEqual(['x-client-name, x-tag', null, null]);
    const hr = { 'x-tag': 'CC-10246', 'x-client-name': 'hr' };
    for (const _ of [1, 2]) expect(await labelsOf(padron, hr)).toEqual(['x-tag', 'hr', null]);
    expect(logged(padron).map(({ header, client }) => [header, client])).toEqual([
      ['x-client-name', null],
      ['x-tag', null],
      ['x-tag', 'hr'],
    ]);
    expect(padron.log.join('\n')).not.toMatch(/1024|nomina/);
    expect(await labelsOf(padron, { 'x-tag': 'Q1', 'x-client-name': 'hr' })).toEqual([undefined, 'hr', 'Q1']);
    const web = await labelsOf(padron, { 'x-tag': '', 'apollographql-client-name': 'web' });
    expect(web).toEqual([undefined, 'web', null]);
  });

  it.each([
    ['CC-10245', true],
    ['ABCD-104500', true],
    ['Q1', false],
    ['CC-102456', false],
    ['x-client', false],
    [`nss ${nss}`, false],
    ['nss 0415 96 0026 3', false],
    [`rfc ${rfc}`, false],
    [`curp ${curp}`, false],
    ['mail juan@example.com', false],
    ['GARM960415', false],
    ['GARM-960415', false],
    ['a long name', true],
    [`too long ${'x'.repeat(60)}`, false],
  ])('is decided by TAG_PATTERN, but never is an identifier: %s', async (tag, isKept) => {
    const expected = isKept ? [undefined, null, tag] : ['x-tag', null, null];
    expect(await labelsOf(withPattern, { 'x-tag': tag })).toEqual(expected);
  });

  it('follows TAG_PATTERN in batches and budgets too, and not in clients', async () => {
    expect(await labelsOf(withPattern, { 'x-client-name': 'CC-10245' })).toEqual(['x-client-name', null, null]);
    const client = new BatchClient(withPattern);
    const create = (tag: string) => client.create({ operation: CREDIT_OF_ROW, rows: [{ nss }], tag });
    expect((await create('CC-10245')).problems).toEqual([]);
    expect((await create('Q1')).problems).toMatchObject([
      { code: 'INVALID_FORMAT', path: ['input', 'tag'], message: expect.stringContaining('`CC-\\d{5}|') },
    ]);
  });

  it('is not reported for x-client-name if JWTs name the client', async () => {
    const token = signedBySecret(secret, { client_id: 'payroll-2026', scope: 'use_buscar_credito padron_ledger' });
    const authorization = `Bearer ${token}`;
    const labels = { 'x-client-name': 'nomina-2026', 'x-tag': 'CC-10245' };
    const { headers } = await withJwt.ask(query, {}, { authorization, ...labels });
    expect(headers['x-label-dropped']).toBe('x-tag');
    const { data } = await withJwt.ask(read, {}, { authorization });
    expect(data.registryLedger.entries).toEqual([{ client: 'payroll-2026', tag: null }]);
  });
});

const numbers = people.filter(({ credit }) => Boolean(credit)).map(({ nss }) => nss);
const creditOf = (of: string): string => `{ person(nss: "${of}") { credit { outcome } } }`;
const credit = creditOf(nss);
const PURPOSES = 'hiring, credit, Proveeduría';
const bytes = (text: string): string => Buffer.from(text).toString('latin1');

describe.each(engines)('the purpose of a request on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const padron = ledgerPadronForTests(rig, { REPLAY_SECONDS: '0', PURPOSES });
  const strict = ledgerPadronForTests(rig, { REPLAY_SECONDS: '0', PURPOSES, PURPOSE: 'required' });
  const without = ledgerPadronForTests(rig);
  const service = sandboxForEachTest();
  beforeEach(() => void [strict.calls(), without.calls()]);

  it('is in the entries, the sums, the filter and the CSV', async () => {
    // Another person each time, because an answer of a moment ago is shared.
    for (const purpose of ['hiring', 'credit', bytes('Proveeduri\u0301a'), 'credit'])
      await padron.ask(creditOf(numbers.pop() ?? ''), {}, { 'x-purpose': purpose });
    await padron.ask(credit);
    expect(padron.calls()).toEqual(Array(5).fill(CREDIT));
    const { data } = await padron.ask(`{
      registrySpend(by: [PURPOSE]) { purpose calls units }
      registryLedger(filter: { purpose: "Proveeduría" }) { entries { purpose } csvUrl }
    }`);
    expect(data.registrySpend).toEqual(
      expect.arrayContaining([
        { purpose: 'Proveeduría', calls: 1, units: 1 },
        { purpose: 'credit', calls: 2, units: 2 },
        { purpose: 'hiring', calls: 1, units: 1 },
        { purpose: null, calls: 1, units: 1 },
      ]),
    );
    expect(data.registrySpend).toHaveLength(4);
    expect(data.registryLedger.entries).toEqual([{ purpose: 'Proveeduría' }]);
    const [head = '', line = ''] = (await (await fetch(data.registryLedger.csvUrl)).text()).split('\r\n');
    expect(line.split(',')[head.split(',').indexOf('purpose')]).toBe('Proveeduría');
    const spanish = await (await fetch(`${data.registryLedger.csvUrl}&language=es`)).text();
    expect(spanish).toContain(',etiqueta,finalidad,referencia,operación,');
  });

  it.each([
    ['an unknown one', 'gossip'],
    ['another case', 'Hiring'],
    ['two of them', 'hiring, credit'],
  ])('is refused with the list, free of charge, if it is %s', async (_what, purpose) => {
    const { status, data, errors } = await padron.ask(credit, {}, { 'x-purpose': purpose });
    expect([status, data]).toEqual([400, undefined]);
    expect(errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT' }, message: expect.stringContaining(PURPOSES) },
    ]);
    expect(errors?.[0].message.replace(PURPOSES, '')).not.toContain(purpose);
    expect(padron.calls()).toEqual([]);
  });

  it('is refused without PURPOSES, because the ledger could not have it', async () => {
    const { status, errors } = await without.ask(credit, {}, { 'x-purpose': 'hiring' });
    expect([status, errors?.[0].message]).toEqual([400, expect.stringContaining('PURPOSES')]);
    expect(without.calls()).toEqual([]);
  });

  it('is needed for what costs units with PURPOSE=required, and for nothing else', async () => {
    const mixed = `{ registrySpend(by: []) { calls } person(nss: "${nss}") { credit { outcome } } }`;
    for (const query of [credit, mixed]) {
      const { status, data, errors } = await strict.ask(query);
      expect([status, data ?? null]).toEqual([400, null]);
      expect(errors).toMatchObject([
        { extensions: { code: 'PURPOSE_MISSING', url: '/graphql/errors/PURPOSE_MISSING' } },
      ]);
      expect(errors?.[0].message).toContain(PURPOSES);
    }
    expect(strict.calls()).toEqual([]);
    const free = await strict.ask(`query ($paid: Boolean = false) {
      registryEndpoints { endpoint } registrySpend(by: []) { calls } person(nss: "${nss}") { nss credit @include(if: $paid) { outcome } }
    }`);
    expect([free.errors, free.data.registrySpend]).toEqual([undefined, [{ calls: 0 }]]);
    const dry = await strict.ask(credit, {}, { 'x-dry-run': 'true' });
    expect([dry.errors, dry.data]).toEqual([undefined, null]);
    expect(strict.calls()).toEqual([]);
    const named = await strict.ask(credit, {}, { 'x-purpose': 'hiring', 'x-max-units': '1' });
    expect([named.data.person.credit.outcome, strict.calls()]).toEqual(['FOUND', [CREDIT]]);
  });

  it('is kept with a batch, from its input or else from the header, and is in the entries of its rows', async () => {
    const rows = [{ nss }];
    const plain = new BatchClient(strict);
    const named = new BatchClient(strict, undefined, { 'x-purpose': 'credit' });
    const create = (client: BatchClient, input: object) => client.create({ operation: CREDIT_OF_ROW, rows, ...input });
    const path = ['input', 'purpose'];
    expect((await create(plain, {})).problems).toMatchObject([{ code: 'PURPOSE_MISSING', path }]);
    const { batch: none, problems } = await create(plain, { purpose: 'gossip' });
    expect([none, problems]).toMatchObject([
      null,
      [{ code: 'INVALID_FORMAT', path, message: expect.stringContaining(PURPOSES) }],
    ]);
    const fromInput = await create(named, { purpose: 'hiring', key: 'first' });
    const fromHeader = await create(named, { key: 'second' });
    const conflicting = await create(plain, { purpose: 'credit', key: 'first' });
    expect(conflicting.problems).toMatchObject([{ code: 'INVALID_FORMAT', path: ['input', 'key'] }]);
    for (const { batch } of [fromInput, fromHeader]) expect(await plain.run(batch.id)).toMatchObject({ state: 'DONE' });
    const purposeOf = async (id: string) => {
      const { registryLedger } = await plain.ask(
        `{ registryLedger(filter: { batch: "${id}" }) { entries { purpose } } }`,
      );
      return registryLedger.entries;
    };
    expect(await purposeOf(fromInput.batch.id)).toEqual([{ purpose: 'hiring' }]);
    expect(await purposeOf(fromHeader.batch.id)).toEqual([{ purpose: 'credit' }]);
  });

  it('is needed to continue a batch that was created when it was not required', async () => {
    const prepared = await preparePadron(rig);
    const registryUrl = () => service.url;
    const before = await prepared.start({ registryUrl });
    const creator = new BatchClient(before);
    const [ready, paused, done] = [
      await creator.ready(CREDIT_OF_ROW, [{ nss }]),
      await creator.runRows(CREDIT_OF_ROW, [{ nss }], 0),
      await creator.runRows(CREDIT_OF_ROW, [{ nss }]),
    ];
    expect([ready.state, paused.state, done.state]).toEqual(['READY', 'PAUSED', 'DONE']);
    expect(service.spent(SANDBOX_TOKEN)).toBe(1);
    await before.stop();
    const after = await prepared.start({ environment: { PURPOSES, PURPOSE: 'required' }, registryUrl });
    const client = new BatchClient(after, undefined, { 'x-purpose': 'hiring' });
    for (const change of [
      `startRegistryBatch(id: "${ready.id}", maxUnits: 9, earlierAnswers: PAY_AGAIN)`,
      `resumeRegistryBatch(id: "${paused.id}", maxUnits: 9)`,
      `retryRegistryBatch(id: "${done.id}", maxUnits: 9)`,
    ])
      expect((await client.change(change)).problems).toMatchObject([{ code: 'PURPOSE_MISSING' }]);
    expect((await client.get(ready.id)).startProblem).toMatchObject({ code: 'PURPOSE_MISSING' });
    expect(service.spent(SANDBOX_TOKEN)).toBe(1);
  });
});
