import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { people } from '../../../src/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { type Claims, signedBySecret } from '../../support/keys/identity-provider';
import { ACCOUNT, CREDIT } from '../../support/operations/people-endpoints';
import { ledgerPadronForTests } from '../../support/padrons/padron-for-tests';
import { blocksOf } from '../../support/pages';
import { card } from '../../support/sandbox/cards';
import { engineRig } from '../../support/stores/engines';

const person = findOrThrow(people, ({ credit, account }) => Boolean(credit && account));
const command = findOrThrow(blocksOf('sh'), (block) => block.includes('statement.csv'));
const sums = '{ registrySpend(by: [ENDPOINT]) { endpoint units uncertainUnits } }';

/** Runs the script of the documentation, with a statement by endpoint. */
async function runScript(
  { url, token }: { readonly url: string; readonly token: string },
  statement: Readonly<Record<string, number | string>>,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'padron-statement-'));
  const lines = Object.entries(statement).map(([endpoint, units]) => `${endpoint},${units}\n`);
  writeFileSync(join(folder, 'statement.csv'), lines.join(''));
  const interval = { FROM: '2020-01-01T00:00:00Z', TO: '2100-01-01T00:00:00Z' };
  const env = { PATH: process.env.PATH, GRAPH: url, TOKEN: token, ...interval };
  try {
    return (await promisify(execFile)('sh', ['-c', command], { cwd: folder, env })).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the script of the documentation that reconciles the ledger with a statement', () => {
  const rig = engineRig('embedded');
  const padron = ledgerPadronForTests(rig);
  beforeAll(async () => {
    for (const nss of [person.nss, card('html', 'nss'), card('server-error', 'nss')])
      await padron.ask(`{ person(nss: "${nss}") { credit { outcome } housingAccount { outcome } } }`);
  });

  const reconcile = (statement: Readonly<Record<string, number | string>>): Promise<string> =>
    runScript({ url: padron.url, token: SANDBOX_TOKEN }, statement);
  const chargedUnits = (endpoint: string): number =>
    padron.callsInFull().reduce((sum, call) => (call.endpoint === endpoint ? sum + call.units : sum), 0);
  const ledger = async () => (await padron.ask(sums)).data.registrySpend;

  it('is short', () => {
    expect(command.trim().split('\n').length).toBeLessThan(20);
  });

  it('settles the endpoints that agree with the statement, and no others', async () => {
    const before = await ledger();
    expect(before.map(({ uncertainUnits }: { uncertainUnits: number }) => uncertainUnits > 0)).toEqual([true, true]);
    const output = await reconcile({
      [CREDIT]: chargedUnits(CREDIT),
      [ACCOUNT]: chargedUnits(ACCOUNT) + 100,
      'POST /api/x': 1,
    });
    expect(output.split('\n').sort()).toEqual([
      '',
      expect.stringMatching(`^DIFFERS ${ACCOUNT} .* statement ${chargedUnits(ACCOUNT) + 100}$`),
      'DIFFERS POST /api/x ledger 0 + 0 uncertain, statement 1',
      expect.stringMatching(`^agrees ${CREDIT} `),
    ]);
    const [credit, account] = [CREDIT, ACCOUNT].map((endpoint) =>
      before.find((sum: { endpoint: string }) => sum.endpoint === endpoint),
    );
    expect(await ledger()).toEqual(
      expect.arrayContaining([account, { ...credit, units: chargedUnits(CREDIT), uncertainUnits: 0 }]),
    );
    expect(await reconcile({ [CREDIT]: chargedUnits(CREDIT), [ACCOUNT]: chargedUnits(ACCOUNT) })).not.toContain(
      'DIFFERS',
    );
    expect(await ledger()).toEqual(
      expect.arrayContaining(
        [CREDIT, ACCOUNT].map((endpoint) => ({ endpoint, units: chargedUnits(endpoint), uncertainUnits: 0 })),
      ),
    );
  });

  it('reads units with thousands separators, and reports a line that it cannot read', async () => {
    const output = await reconcile({ 'POST /api/x': '"1,204"', 'POST /api/y': ' 1,234,567', 'POST /api/z': 12 });
    expect(output).toContain('DIFFERS POST /api/x ledger 0 + 0 uncertain, statement 1204\n');
    expect(output).toContain('DIFFERS POST /api/y ledger 0 + 0 uncertain, statement 1234567\n');
    expect(output).toContain('DIFFERS POST /api/z ledger 0 + 0 uncertain, statement 12\n');
    await expect(reconcile({ [CREDIT]: 'many' })).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`${CREDIT},many`),
    });
  });
});

describe('the script with a token that lacks a scope', () => {
  const rig = engineRig('embedded');
  const secret = 'a-secret-shared-with-the-identity-provider';
  const tokenOf = (claims: Claims): string => signedBySecret(secret, claims);
  const padron = ledgerPadronForTests(rig, { REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET: secret });
  beforeAll(async () => {
    const authorization = `Bearer ${tokenOf({ client_id: 'hr', scope: 'use_buscar_credito' })}`;
    await padron.ask(`{ person(nss: "${card('html', 'nss')}") { credit { outcome } } }`, {}, { authorization });
  });

  it.each([
    ['padron_ledger_settle', 'padron_ledger'],
    ['padron_ledger', 'padron_ledger_settle'],
  ])('ends with an error that names the scope, and prints no result: %s', async (lacking, scope) => {
    const statement = { [CREDIT]: padron.callsInFull().reduce((sum, { units }) => sum + units, 0) };
    await expect(runScript({ url: padron.url, token: tokenOf({ scope }) }, statement)).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^The caller lacks the scope \`${lacking}\`[^\n]*\n`)),
    });
  });
});
