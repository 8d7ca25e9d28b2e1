import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../../support/find-or-throw';
import { signedBySecret } from '../../../support/keys/identity-provider';
import { proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import { WEBHOOK_SECRET } from '../../../support/padrons/webhooks';
import { builtCommand, padronCommand } from '../../../support/processes/padron-command';
import { deferred, waitUntil } from '../../../support/proxies/deferred';
import { BatchClient, NSS } from '../../../support/requests/batches';
import { card } from '../../../support/sandbox/cards';
import { engineRig } from '../../../support/stores/engines';

const operation = join(__dirname, '../../../../schema/examples/person-credit.graphql');

describe('the rows of a batch, in the command `padron batch`', () => {
  const secret = 'a-secret-shared-with-the-identity-provider';
  const scopes = ['batch', 'budgets', 'events', 'ledger', 'ledger_settle', 'erase'].map((name) => `padron_${name}`);
  const token = signedBySecret(secret, { scope: [...scopes, 'use_buscar_credito'].join(' '), azp: 'hr' });
  // Nothing listens at this address, so events stay in the list.
  const webhook = { WEBHOOK_URL: 'http://127.0.0.1:9', WEBHOOK_SECRET };
  const settings = { REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET: secret, BATCH_CONCURRENCY: '8', ...webhook };
  const padron = proxiedPadronForTests(settings, engineRig());
  const client = new BatchClient(padron, token);
  const folder = mkdtempSync(join(tmpdir(), 'padron-rows-'));
  const isPaidFor = findOrThrow(people, ({ credit }) => credit !== null);
  const coworker = findOrThrow(people, ({ nss, credit }) => credit !== null && nss !== isPaidFor.nss);

  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const argumentsOf = (file: string, args: readonly string[]) =>
    ['batch', file, operation, '--url', padron.url, '--max-units', '100', ...args] as const;
  const run = (file: string, ...args: readonly string[]) =>
    padronCommand(argumentsOf(file, args), { PADRON_TOKEN: token });
  const runInMexico = (file: string, ...args: readonly string[]) =>
    builtCommand(argumentsOf(file, args), { PADRON_TOKEN: token, TZ: 'America/Mexico_City' });
  const newest = async () =>
    (await client.ask('{ registryBatches(first: 1) { batches { id } } }')).registryBatches.batches[0].id;
  const eventsOf = async (
    id: string,
  ): Promise<{ readonly type: string; readonly data: { readonly batch: string } }[]> =>
    (await client.ask('{ registryEvents { events { type data } } }')).registryEvents.events.filter(
      ({ data }: { readonly data: { readonly batch: string } }) => data.batch === id,
    );
  const tableOf = (file: string): Record<string, string>[] =>
    parse(readFileSync(file.replace('.csv', '.results.csv'), 'utf8'), { bom: true, columns: true });

  it('names the lines of done rows that may be about another person, and exits with 1', async () => {
    const withCurp = write(
      'with-curp.graphql',
      'query Q($nss: NSS!, $curp: CURP) { person(nss: $nss, curp: $curp) { credit { outcome } } }',
    );
    const file = write(
      'swapped.csv',
      `nss,curp\n${isPaidFor.nss},${isPaidFor.curp}\n\n${coworker.nss},${isPaidFor.curp}\n`,
    );
    const args = ['batch', file, withCurp, '--url', padron.url, '--max-units', '9'];
    const english = await padronCommand(args, { PADRON_TOKEN: token });
    expect(english).toMatchObject({ code: 1, text: expect.stringContaining('2 of 2 rows done, 0 failed, 0 unknown') });
    expect(english.text).toContain('1 done row may be about another person: check the column Problem, line 4\n');
    const spanish = await padronCommand([...args, '--language', 'es'], { PADRON_TOKEN: token });
    expect(spanish.text).toContain('1 fila hecha puede ser de otra persona: revise la columna Problema, línea 4\n');
    expect(padron.calls()).toHaveLength(2);
  });

  it('waits for the calls of a paused batch, then says what it spent, until when it is paused, and how to continue', async () => {
    const set = 'mutation($input: RegistryBudgetInput!) { setRegistryBudget(input: $input) { id } }';
    // Two units were spent above.
    const budget = (await client.ask(set, { input: { client: 'hr', period: 'DAY', units: 6 } })).setRegistryBudget.id;
    const held = deferred();
    padron.proxy.tamper(held.tamper);
    const file = write('many.csv', `nss\n${card('server-error', 'nss')}\n${NSS.slice(10, 60).join('\n')}\n`);
    const command = runInMexico(file);
    await waitUntil(() => padron.proxy.requests.length === 4);
    const id = await newest();
    const paused = await client.until(id, 'PAUSED');
    expect(paused.progress).toMatchObject({ rows: 51, done: 0, spentUnits: 0 });
    expect(paused.progress.running).toBeGreaterThanOrEqual(4);
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['batch.ready']);
    held.release();

    const { code, text } = await command;
    const { reason, pausedUntil } = await client.get(id);
    expect(new Date(pausedUntil).getTime() - Date.now()).toBeLessThanOrEqual(24 * 3_600_000);
    expect(Math.abs(reason.retryAfter - (new Date(pausedUntil).getTime() - Date.now()) / 1_000)).toBeLessThan(60);
    const local = new Date(pausedUntil).toLocaleString('sv', { timeZone: 'America/Mexico_City' });
    expect(local).toContain(' 00:00:0');
    expect(text).toContain('3 of 51 rows done, 0 failed, 1 unknown · 3 units spent, 1 uncertain, 0 saved\n');
    expect(text).toContain('1 unknown row may have been charged. --retry unknown retries it');
    expect(text).toContain('the budget of 6 units a day for the client hr has 0 left, and this costs 1.');
    expect(text).toContain(`After ${local.slice(0, 16)} the same command resumes it. Nothing is paid twice.\n`);
    expect(text).toContain(`results so far: ${file.replace('.csv', '.results.csv')}\n`);
    expect(code).toBe(3);
    expect(tableOf(file).map(({ State }) => State)).toEqual([
      'Unknown',
      ...Array(3).fill('Done'),
      ...Array(47).fill('Waiting'),
    ]);
    const [pause, ...earlier] = await eventsOf(id);
    expect([pause?.type, earlier.length]).toEqual(['batch.paused', 1]);
    expect(pause?.data).toEqual({
      ...{ batch: id, rows: 51, units: 3, uncertainUnits: 1, reason: 'BUDGET_EXHAUSTED' },
      ...{ pausedUntil, budget },
    });
    expect(padron.calls()).toHaveLength(4);

    await client.ask(`mutation { removeRegistryBudget(id: "${budget}") }`);
    const retried = await run(file, '--retry', 'unknown');
    expect(retried.text).toContain('50 of 51 rows done, 0 failed, 1 unknown · 50 units spent, 2 uncertain, 0 saved\n');
    expect(padron.calls()).toHaveLength(48);
  });

  it('has the sums of the ledger after a call of the batch is settled', async () => {
    const id = await newest();
    const open = await client.ask('{ registryLedger(filter: { unsettled: true }) { entries { id } } }');
    const [first, second] = open.registryLedger.entries;
    const settle = 'mutation($input: [RegistryBillingInput!]!) { settleRegistryBilling(input: $input) { id } }';
    const sums = async () => {
      const { registrySpend } = await client.ask('{ registrySpend(by: [BATCH]) { batch units uncertainUnits } }');
      const { spentUnits, uncertainUnits } = (await client.get(id)).progress;
      return [
        { batch: id, units: spentUnits, uncertainUnits },
        registrySpend.find(({ batch }: { batch: string }) => batch === id),
      ];
    };
    for (const [entry, billing, units, uncertainUnits] of [
      [first, 'CHARGED', 51, 1],
      [first, 'NOT_CHARGED', 50, 1],
      [second, 'NOT_CHARGED', 50, 0],
    ]) {
      await client.ask(settle, { input: [{ id: entry.id, billing }] });
      expect(await sums()).toEqual(Array(2).fill({ batch: id, units, uncertainUnits }));
    }
  });

  it('counts erased rows, and canceled rows', async () => {
    const file = write('few.csv', `nss\n${isPaidFor.nss}\n${coworker.nss}\n`);
    expect((await run(file, '--earlier', 'pay')).code).toBe(0);
    await client.ask(`mutation { eraseRegistrySubject(subject: { nss: "${coworker.nss}" }) { rows } }`);
    const again = await run(file);
    expect(again).toMatchObject({
      code: 1,
      text: expect.stringContaining('1 of 2 rows done, 0 failed, 0 unknown, 1 erased ·'),
    });
    expect(tableOf(file).map(({ State }) => State)).toEqual(['Done', 'Erased']);

    const longer = write('longer.csv', `nss\n${NSS.slice(60, 63).join('\n')}\n`);
    expect((await run(longer, '--max-units', '1')).text).toContain('1 of 3 rows done');
    await client.change(`cancelRegistryBatch(id: "${await newest()}")`);
    const { problems } = await client.change(`resumeRegistryBatch(id: "${await newest()}")`);
    expect(problems).toMatchObject([{ code: 'BATCH_STATE' }]);
    const canceled = await run(longer);
    expect(canceled).toMatchObject({
      code: 3,
      text: expect.stringContaining('1 of 3 rows done, 0 failed, 0 unknown, 2 canceled ·'),
    });
    expect(tableOf(longer).map(({ State }) => State)).toEqual(['Done', 'Canceled', 'Canceled']);
  });

  it('says until when the service limits the account', async () => {
    const file = write('limited.csv', `nss\n${card('rate-limited-for-a-day', 'nss')}\n`);
    const limited = await runInMexico(file, '--language', 'es');
    const { pausedUntil } = await client.get(await newest());
    expect(Math.abs(new Date(pausedUntil).getTime() - Date.now() - 86_400_000)).toBeLessThan(300_000);
    const local = new Date(pausedUntil).toLocaleString('sv', { timeZone: 'America/Mexico_City' }).slice(0, 16);
    expect(limited.text).toContain('(RATE_LIMITED)\n');
    expect(limited.text).toContain(`Después del ${local}, para continuarlo, ejecute el mismo comando.`);
  });
});
