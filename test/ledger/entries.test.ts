import { builtInAccounts, SANDBOX_TOKEN } from '../../src/sandbox/accounts/accounts';
import { people } from '../../src/sandbox/data/people';
import { startSandbox } from '../../src/sandbox/service';
import { findOrThrow } from '../support/find-or-throw';
import { keptPadron } from '../support/padrons/ledger';
import { engineRig, engines } from '../support/stores/engines';

const somebody = findOrThrow(people, ({ credit, licences }) => credit !== null && licences.length > 0);
const query = 'query Check($nss: NSS!) { person(nss: $nss) { credit { outcome evidence { validationCode units } } } }';
const otherToken = findOrThrow(builtInAccounts, ({ token }) => token !== SANDBOX_TOKEN).token;
const variables = { nss: somebody.nss };

describe.each(engines)('the ledger on the %s engine', (engine) => {
  const rig = engineRig(engine);

  it('enters each call with whom it was for, what it cost, and its proof', async () => {
    const kept = await keptPadron(rig);
    const padron = await kept.start();
    const headers = { 'x-client-name': 'payroll', 'x-tag': 'hiring' };
    const { data, headers: answered } = await padron.ask(query, variables, headers);
    expect(padron.calls()).toHaveLength(1);
    await padron.stop();
    const [row, ...more] = await kept.rows();
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      client: 'payroll',
      tag: 'hiring',
      operation: 'Check',
      request_id: answered['x-request-id'],
      endpoint: 'POST /api/infonavit/grupo/buscar-credito',
      outcome: 'FOUND',
      status: 200,
      units: 1,
      price: 1,
      billing: 'CHARGED',
      served_from: 'LIVE',
      validation_code: data.person.credit.evidence.validationCode,
    });
    expect(Math.abs(Date.now() - (row?.at.getTime() ?? 0))).toBeLessThan(60_000);
  });

  it('enters an answer that was shared, as free', async () => {
    const kept = await keptPadron(rig, { REPLAY_SECONDS: '30' });
    const padron = await kept.start();
    await padron.ask(query, variables);
    await padron.ask(query, variables);
    expect(padron.calls()).toHaveLength(1);
    await padron.stop();
    const rows = await kept.rows();
    expect(rows.map(({ served_from, units, price, billing }) => [served_from, units, price, billing])).toEqual([
      ['LIVE', 1, 1, 'CHARGED'],
      ['REPLAY', 0, 1, 'NOT_CHARGED'],
    ]);
    expect(new Set(rows.map(({ validation_code }) => validation_code)).size).toBe(1);
  });

  it('names an account the same after a restart, and no two by one name', async () => {
    const kept = await keptPadron(rig);
    const service = await startSandbox();
    for (const token of [SANDBOX_TOKEN, SANDBOX_TOKEN, otherToken]) {
      const padron = await kept.start({ registryUrl: () => service.url });
      await padron.ask(query, variables, { authorization: `Bearer ${token}` });
      await padron.ask(query, variables, { authorization: `Bearer ${token}`, 'x-sandbox': 'true' });
      await padron.stop();
    }
    await service.close();
    const [live, sandbox, liveAgain, sandboxAgain, ...others] = (await kept.rows()).map(({ account }) => account);
    expect([liveAgain, sandboxAgain]).toEqual([live, sandbox]);
    expect(new Set([live, sandbox, ...others]).size).toBe(4);
  });

  it('does not enter what was never asked', async () => {
    const kept = await keptPadron(rig);
    const padron = await kept.start();
    await padron.ask(query, { nss: '11111111111' });
    await padron.ask(query, variables, { 'x-max-units': '0' });
    await padron.ask(query, variables, { authorization: 'Bearer nobody' });
    await padron.ask(query, variables, { 'x-dry-run': 'true' });
    await padron.stop();
    expect(await kept.rows()).toEqual([]);
  });

  it('leaves out names that may be an identifier', async () => {
    const kept = await keptPadron(rig);
    const padron = await kept.start();
    await padron.ask(query.replace('Check', `Check${somebody.nss}`), variables, {
      'apollographql-client-name': somebody.curp,
      'x-tag': somebody.nss,
    });
    await padron.stop();
    expect(await kept.rows()).toMatchObject([{ client: null, tag: null, operation: null }]);
  });
});
