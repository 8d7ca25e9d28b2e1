import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { CREDIT } from '../../../support/operations/people-endpoints';
import { preparePadron } from '../../../support/padrons/ledger';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT as CREDIT_OF_ROW } from '../../../support/requests/batches';
import { sandboxForEachTest } from '../../../support/sandbox/sandbox-for-tests';
import { engineRig, engines } from '../../../support/stores/engines';

const numbers = people.filter(({ credit }) => Boolean(credit)).map(({ nss }) => nss);
const [nss = ''] = numbers;
const creditOf = (of: string): string => `{ person(nss: "${of}") { credit { outcome } } }`;
const credit = creditOf(nss);
const PURPOSES = 'hiring, credit, Proveeduría';
const list = 'hiring, credit, Proveeduría';
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
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' }, message: expect.stringContaining(list) }]);
    expect(errors?.[0].message.replace(list, '')).not.toContain(purpose);
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
      expect(errors?.[0].message).toContain(list);
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
      [{ code: 'INVALID_FORMAT', path, message: expect.stringContaining(list) }],
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
      `startRegistryBatch(id: "${ready.id}", maxUnits: 9)`,
      `resumeRegistryBatch(id: "${paused.id}", maxUnits: 9)`,
      `retryRegistryBatch(id: "${done.id}", maxUnits: 9)`,
    ])
      expect((await client.change(change)).problems).toMatchObject([{ code: 'PURPOSE_MISSING' }]);
    expect((await client.get(ready.id)).startProblem).toMatchObject({ code: 'PURPOSE_MISSING' });
    expect(service.spent(SANDBOX_TOKEN)).toBe(1);
  });
});
