import { join } from 'node:path';
import { sayCall } from '../../../src/extensions/agents/tool-text';
import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { claudia, uriel } from '../../support/operations/mixed-people';
import { ACCOUNT, CREDIT, IDENTITY, SEARCH, STATUS } from '../../support/operations/people-endpoints';
import { DATA_KEY, insertBudget } from '../../support/padrons/budgets';
import { type PreparedPadron, preparePadron } from '../../support/padrons/ledger';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { withPadron } from '../../support/padrons/with-padron';
import { waitUntil } from '../../support/proxies/deferred';
import { type AgentOptions, agentsForTests, agreed, callRaw, textOf } from '../../support/requests/agent';
import { waitForMetric } from '../../support/requests/scrape-metrics';
import { priceList } from '../../support/sandbox/price-file';
import { sandboxForEachTest } from '../../support/sandbox/sandbox-for-tests';
import { engineRig, engines } from '../../support/stores/engines';

const limitedTools = {
  ...{ DATA_KEYS: DATA_KEY, MCP: 'on', MCP_MAX_UNITS: '3', REPLAY_SECONDS: '0', PURPOSES: 'hiring,credit' },
  TRUSTED_DOCUMENTS: join(__dirname, '../../../schema/examples'),
};
const { nss } = uriel;
const profileEndpoints = [CREDIT, ACCOUNT, IDENTITY, SEARCH, STATUS].sort();

const padron = padronForTests({ environment: limitedTools });
const connect = agentsForTests(padron);
const asksAgain = { result: { resultType: 'input_required', requestState: expect.any(String) } };

describe('the limit of a call', () => {
  it('is stated with the price, which is free to ask', async () => {
    const agent = await connect();
    const price = await agent.call('price', { tool: 'PersonProfile', arguments: { nss } });
    expect(price.structuredContent).toEqual({ estimatedUnits: 6, atMost: 6, unitsWithPermission: null, amount: null });
    expect(textOf(price)).toContain('This call may cost 6 units.');
    expect(await agent.say('price', { tool: 'PersonProfile', arguments: { nss: '1' } })).toContain('INVALID_FORMAT');
    expect(await agent.say('price', { tool: 'price' })).toContain('Give `tool`, the name of a listed tool');
    expect(padron.calls()).toEqual([]);
  });

  const refusal =
    'This call may cost 6 units. The limit of a call is 3 units. Nothing was spent. This client cannot ask';
  it.each<[string, AgentOptions, string]>([
    ['a new client cannot ask the person', {}, refusal],
    ['an old client cannot ask the person', { protocol: '2025-11-25' }, refusal],
    ['the person declines', { answer: () => 'decline' }, 'The person did not agree'],
    ['the person cancels', { answer: () => 'cancel' }, 'The person did not agree'],
    ['the person does not tick the box', { answer: () => 'uncheck' }, 'The person did not agree'],
  ])('stays if %s', async (_what, options, text) => {
    const result = await (await connect(options)).call('PersonProfile', { nss });
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining(text)]);
    expect(padron.calls()).toEqual([]);
  });

  it('is lifted by the person, for the price that the person read', async () => {
    const answer = jest.fn((_question: string) => 'accept' as const);
    const agent = await connect({ headers: { 'accept-language': 'es-MX' }, answer });
    expect(await agent.say('PersonProfile', { nss })).toMatch(/^Unidades: 6 gastadas, 0 por aclarar, 0 ahorradas\./);
    expect(answer.mock.calls).toEqual([
      [
        `El agente quiere ejecutar PersonProfile con {"nss":"${nss}"}. Esta llamada puede costar 6 unidades. El límite de una llamada es de 3 unidades. No se ha gastado nada.`,
      ],
    ]);
    expect(padron.calls()).toHaveLength(5);
  });

  it('does not lift the limits that the person did not read about', async () => {
    const answer = jest.fn(() => 'accept' as const);
    const agent = await connect({ answer, headers: { 'x-max-units': '2' } });
    const result = await agent.call('PersonProfile', { nss });
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('UNIT_BUDGET_EXCEEDED')]);
    const malformed = await connect({ answer, headers: { 'x-max-units': 'two' } });
    expect(await malformed.say('PersonCredit', { nss })).toContain('`x-max-units` must be a whole number');
    expect(answer).not.toHaveBeenCalled();
    expect(padron.calls()).toEqual([]);
  });

  it('is not lifted by consent to another call, by a price that padron did not sign, or by an argument', async () => {
    const asked = await callRaw(padron.url, 'PersonProfile', { nss });
    expect(asked).toMatchObject(asksAgain);
    const { requestState } = asked.result;
    const call = (person: string, consent: object) =>
      callRaw(padron.url, 'PersonProfile', { nss: person }, { inputResponses: agreed, ...consent });
    expect(await call(claudia.nss, { requestState })).toMatchObject(asksAgain);
    expect(await call(nss, {})).toMatchObject(asksAgain);
    expect(await call(nss, { requestState: `${requestState}x` })).toMatchObject({ error: { code: -32602 } });
    expect(padron.calls()).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
    ['purpose', { 'x-purpose': 'hiring' }, { 'x-purpose': 'credit' }],
    ['purpose, or none', { 'x-purpose': 'hiring' }, {}],
    ['tag', { 'x-tag': 'hr' }, { 'x-tag': 'sales' }],
    ['reference', { 'x-reference': 'EXP-1' }, { 'x-reference': 'EXP-2' }],
    ['client', { 'x-client-name': 'payroll' }, { 'x-client-name': 'sales' }],
  ])('is not lifted for a cost that would be booked under another %s', async (_what, agreedTo, sent) => {
    const { requestState } = (await callRaw(padron.url, 'PersonProfile', { nss }, {}, agreedTo)).result;
    const consent = { inputResponses: agreed, requestState };
    expect(await callRaw(padron.url, 'PersonProfile', { nss }, consent, sent)).toMatchObject(asksAgain);
    expect(padron.calls()).toEqual([]);
    const { result } = await callRaw(padron.url, 'PersonProfile', { nss }, consent, agreedTo);
    expect([result.resultType, padron.calls().length]).toEqual(['complete', 5]);
  });

  it('is lifted by consent that another process asked for, with the same keys or older ones', async () => {
    const newerKeys = { ...limitedTools, DATA_KEYS: `${'fedcba9876543210'.repeat(3)},${DATA_KEY}` };
    await withPadron({ environment: newerKeys }, async (second) => {
      const { requestState } = (await callRaw(padron.url, 'PersonProfile', { nss })).result;
      const consent = { inputResponses: agreed, requestState };
      const anotherCaller = { authorization: `Bearer ${OTHER_TOKEN}` };
      expect(await callRaw(second.url, 'PersonProfile', { nss }, consent, anotherCaller)).toMatchObject(asksAgain);
      expect(second.calls()).toEqual([]);
      await callRaw(second.url, 'PersonProfile', { nss }, consent);
      expect([padron.calls(), second.calls()]).toEqual([[], expect.arrayContaining([CREDIT])]);
    });
  });

  it('is only lifted by a person who read every argument as padron sends it', async () => {
    const answer = jest.fn((_question: string) => 'decline' as const);
    const agent = await connect({ answer });
    for (const blank of [' '.repeat(400), '-'.repeat(300), '\u200b']) {
      await agent.call('PersonProfile', { nss: `${blank}${nss}` });
      expect(answer).toHaveBeenLastCalledWith(
        expect.stringContaining(`The agent wants to run PersonProfile with {"nss":"${nss}"}.`),
      );
    }
    expect(padron.calls()).toEqual([]);
  });

  it('is not lifted if the question cannot show an argument', () => {
    const sayName = (names: string) => sayCall('Tool', { name: { names } })?.english;
    expect(sayName('  ANA    "X"')).toBe('The agent wants to run Tool with {"name":{"names":"ANA \\"X\\""}}.');
    expect(sayName('x'.repeat(975))).toContain(`"${'x'.repeat(975)}"`);
    expect(['x'.repeat(1_000), 'ANA\ue000', 'ANA\u2028X'].map(sayName)).toEqual([undefined, undefined, undefined]);
  });
});

describe('the sum of an agent', () => {
  it('needs a ledger', async () => {
    const result = await (await connect()).call('spend');
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('LEDGER_OFF')]);
  });
});

describe.each(engines)('an agent with a ledger on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const service = sandboxForEachTest();
  let prepared: PreparedPadron;
  const start = (environment: Readonly<Record<string, string>> = {}) =>
    prepared.start({ environment, registryUrl: () => service.url });
  beforeEach(async () => {
    prepared = await preparePadron(rig, limitedTools);
  });

  it('runs with consent, sees what it has spent, and is stopped by its budget', async () => {
    await insertBudget(prepared, service.url, { units: 8, client: 'desktop' });
    const running = await start();
    const agent = await connect({ answer: () => 'accept' }, running);
    const units = async () =>
      Object((await agent.call('spend')).structuredContent).registrySpend.map((sum: { units: number }) => sum.units);
    expect(await units()).toEqual([]);
    expect(await agent.say('PersonProfile', { nss })).toContain('Units: 6 spent');
    expect(service.calls.map(({ endpoint }) => endpoint).sort()).toEqual(profileEndpoints);
    expect(await units()).toEqual([6]);
    expect(await agent.say('spend')).not.toContain('Units: ');

    const older = await connect({ protocol: '2025-11-25' }, running);
    expect(await older.say('PersonCredit', { nss })).toContain('Units: 1 spent');
    const another = await connect({ name: 'another' }, running);
    expect(await another.say('PersonCredit', { nss })).toContain('Units: 1 spent');
    expect(await agent.say('PersonProfile', { nss })).toContain(
      'the budget of 8 units a day for the client desktop has 0 left',
    );
    const personal = await connect({ name: nss }, running);
    expect(await personal.say('spend')).toContain('This client has no name in the ledger.');

    await running.stop();
    const rows = await prepared.rows();
    expect(rows.map(({ client, operation, units: charged }) => [client, operation, charged])).toEqual([
      ...Array.from({ length: 5 }, () => ['desktop', 'PersonProfile', expect.any(Number)]),
      ['desktop', 'PersonCredit', 1],
      ['another', 'PersonCredit', 1],
      ['desktop', 'PersonProfile', 1],
    ]);
    expect(rows.reduce((sum, row) => sum + row.units, 0)).toBe(service.spent(SANDBOX_TOKEN));
  });

  it('lifts the limit once by a consent, in all processes that share the store', async () => {
    const first = await start();
    // Only one process can open an embedded store.
    const second = engine === 'postgres' ? await start() : first;
    const { requestState } = (await callRaw(first.url, 'PersonProfile', { nss })).result;
    const consent = { inputResponses: agreed, requestState };
    const callAt = ({ url }: { readonly url: string }) => callRaw(url, 'PersonProfile', { nss }, consent);
    await Promise.all([first, second, first, second].map(callAt));
    expect(service.spent(SANDBOX_TOKEN)).toBe(6);
    for (const each of [first, second]) expect(await callAt(each)).toMatchObject(asksAgain);
    expect(service.spent(SANDBOX_TOKEN)).toBe(6);
  });

  it('uses a paid answer again that is not older than it says, and knows its price', async () => {
    const padron = await start({ REUSE_DAYS: '30' });
    const agent = await connect({}, padron);
    const { tools } = await agent.client.listTools();
    const aged = (tool: string) => tools.find(({ name }) => name === tool)?.inputSchema.properties?.maxAge;
    expect([aged('PersonCredit'), aged('EndpointPrices')]).toEqual([expect.anything(), undefined]);
    const credit = (maxAge: string | null) => agent.say('PersonCredit', { nss, maxAge });
    const price = (maxAge: string) => agent.say('price', { tool: 'PersonCredit', arguments: { nss, maxAge } });
    expect(await credit('30d')).toMatch(/^Units: 1 spent, 0 uncertain, 0 saved/);
    await waitUntil(async () => (await price('30d')).includes('may cost 0 units'));
    expect(await price('0s')).toContain('may cost 1 unit');
    expect(await credit('12h')).toMatch(/^Units: 0 spent, 0 uncertain, 1 saved/);
    for (const paid of ['0s', null]) {
      // A call that is being closed is shared.
      await waitForMetric(padron, 'padron_ledger_entries_waiting', 0);
      expect(await credit(paid)).toMatch(/^Units: 1 spent/);
    }
    expect(await credit('31d')).toMatch(/BAD_USER_INPUT, .*at most `30d`/);
    expect(service.calls.map(({ endpoint }) => endpoint)).toEqual([CREDIT, CREDIT, CREDIT]);
  });
});

describe('a price list that changes', () => {
  const rig = engineRig('postgres');

  it('makes a consent void that was given to another price, and the tools say the new one', async () => {
    const prepared = await preparePadron(rig, limitedTools);
    const before = await prepared.start();
    const { requestState } = (await callRaw(before.url, 'PersonProfile', { nss })).result;
    const consent = { inputResponses: agreed, requestState };
    const registryUrl = () => before.sandbox.url;
    await prepared.start({ registryUrl, environment: priceList({ findCredit: { units: 2 } }) });
    before.calls();
    const asked = await callRaw(before.url, 'PersonProfile', { nss }, consent);
    expect(asked).toMatchObject(asksAgain);
    expect(JSON.stringify(asked)).toContain('This call may cost 7 units.');
    expect(before.calls()).toEqual([]);
    const { client } = await connect({}, before);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'PersonCredit')?.description).toContain('2 units');
  });
});
