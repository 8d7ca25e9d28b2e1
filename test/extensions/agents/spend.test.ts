import { join } from 'node:path';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { uriel } from '../../support/operations/mixed-people';
import { ACCOUNT, CREDIT, IDENTITY, SEARCH, STATUS } from '../../support/operations/people-endpoints';
import { DATA_KEY, insertBudget } from '../../support/padrons/budgets';
import { preparePadron } from '../../support/padrons/ledger';
import { runPadron } from '../../support/padrons/padron';
import { waitUntil } from '../../support/proxies/deferred';
import { agreed, callRaw, connectAgent, textOf } from '../../support/requests/agent';
import { sandboxForEachTest } from '../../support/sandbox/sandbox-for-tests';
import { engineRig, engines } from '../../support/stores/engines';

const documents = join(__dirname, '../../../schema/examples');
const { nss } = uriel;

describe.each(engines)('an agent over the trusted documents, with a ledger on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const service = sandboxForEachTest();

  it('asks a price, is stopped by the limit, runs with consent, and is stopped by its budget', async () => {
    const settings = { DATA_KEYS: DATA_KEY, MCP: 'on', MCP_MAX_UNITS: '3', TRUSTED_DOCUMENTS: documents };
    const prepared = await preparePadron(rig, settings);
    await insertBudget(prepared, service.url, { units: 8, client: 'desktop' });
    const padron = await prepared.start({ registryUrl: () => service.url });
    const answers = ['decline', 'accept', 'accept'] as const;
    let asked = 0;
    const agent = await connectAgent(padron.url, { answer: () => answers[asked++] ?? 'decline' });
    const units = async () => {
      const { structuredContent } = await agent.call('spend');
      return Object(structuredContent).registrySpend.map((sum: { readonly units: number }) => sum.units);
    };

    expect((await agent.client.listTools()).tools.map(({ name }) => name)).toContain('PersonProfile');
    expect((await agent.call('price', { tool: 'PersonProfile', arguments: { nss } })).structuredContent).toMatchObject({
      estimatedUnits: 6,
    });
    expect(textOf(await agent.call('PersonProfile', { nss }))).toContain('The person did not agree');
    expect(await units()).toEqual([]);
    expect(service.calls).toEqual([]);

    expect(textOf(await agent.call('PersonProfile', { nss }))).toContain('Units: 6 spent');
    expect(service.calls.map(({ endpoint }) => endpoint).sort()).toEqual(
      [CREDIT, ACCOUNT, IDENTITY, SEARCH, STATUS].sort(),
    );
    expect(await units()).toEqual([6]);

    const older = await connectAgent(padron.url, { protocol: '2025-11-25' });
    expect(textOf(await older.call('PersonCredit', { nss }))).toContain('Units: 1 spent');
    const another = await connectAgent(padron.url, { name: 'another' });
    expect(textOf(await another.call('PersonCredit', { nss }))).toContain('Units: 1 spent');
    expect(textOf(await agent.call('PersonProfile', { nss }))).toContain(
      'the budget of 8 units a day for the client desktop has 0 left',
    );
    const personal = await connectAgent(padron.url, { name: nss });
    expect(textOf(await personal.call('spend'))).toContain('This client has no name in the ledger.');

    for (const { client } of [agent, older, another, personal]) await client.close();
    await padron.stop();
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
    const settings = { DATA_KEYS: DATA_KEY, MCP: 'on', MCP_MAX_UNITS: '3', TRUSTED_DOCUMENTS: documents };
    const prepared = await preparePadron(rig, { ...settings, REPLAY_SECONDS: '0' });
    const setup = { registryUrl: () => service.url };
    // Only one process can open an embedded store.
    const first = await prepared.start(setup);
    const second = engine === 'postgres' ? await prepared.start(setup) : first;
    const { requestState } = (await callRaw(first.url, 'PersonProfile', { nss })).result;
    const consent = { inputResponses: agreed, requestState };
    const callAt = ({ url }: { readonly url: string }) => callRaw(url, 'PersonProfile', { nss }, consent);
    await Promise.all([first, second, first, second].map(callAt));
    expect(service.spent(SANDBOX_TOKEN)).toBe(6);
    for (const padron of [first, second])
      expect(await callAt(padron)).toMatchObject({ result: { resultType: 'input_required' } });
    expect(service.spent(SANDBOX_TOKEN)).toBe(6);
    await first.stop();
    await second.stop();
  });

  it('uses a paid answer again that is not older than it says, and knows its price', async () => {
    const settings = { MCP: 'on', MCP_MAX_UNITS: '3', TRUSTED_DOCUMENTS: documents, REUSE_DAYS: '30' };
    const prepared = await preparePadron(rig, { ...settings, REPLAY_SECONDS: '0' });
    const padron = await prepared.start({ registryUrl: () => service.url });
    const agent = await connectAgent(padron.url);
    const { tools } = await agent.client.listTools();
    const aged = (tool: string) => tools.find(({ name }) => name === tool)?.inputSchema.properties?.maxAge;
    expect([aged('PersonCredit'), aged('EndpointPrices')]).toEqual([expect.anything(), undefined]);
    const credit = async (maxAge: string | null) => textOf(await agent.call('PersonCredit', { nss, maxAge }));
    const price = (maxAge: string) => agent.say('price', { tool: 'PersonCredit', arguments: { nss, maxAge } });
    expect(await credit('30d')).toMatch(/^Units: 1 spent, 0 uncertain, 0 saved/);
    await waitUntil(async () => (await price('30d')).includes('may cost 0 units'));
    expect(await price('0s')).toContain('may cost 1 unit');
    expect(await credit('12h')).toMatch(/^Units: 0 spent, 0 uncertain, 1 saved/);
    for (const paid of ['0s', null]) expect(await credit(paid)).toMatch(/^Units: 1 spent/);
    expect(await credit('31d')).toMatch(/BAD_USER_INPUT, .*at most `30d`/);
    expect(service.calls.map(({ endpoint }) => endpoint)).toEqual([CREDIT, CREDIT, CREDIT]);
    await agent.client.close();
    await padron.stop();
  });

  it('says that it needs a ledger for what was spent', async () => {
    const environment = { MCP: 'on', MAX_UNITS: '9', TRUSTED_DOCUMENTS: documents };
    const padron = await runPadron({ environment });
    const agent = await connectAgent(padron.url);
    const result = await agent.call('spend');
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('LEDGER_OFF')]);
    await agent.client.close();
    await padron.stop();
  });
});
