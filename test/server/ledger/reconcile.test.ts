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
import { keptPadronForTests } from '../../support/padrons/padron-for-tests';
import { blocksOf } from '../../support/pages';
import { card } from '../../support/sandbox/cards';
import { engineRig } from '../../support/stores/engines';

const person = findOrThrow(people, ({ credit, account }) => Boolean(credit && account));
const command = findOrThrow(blocksOf('sh'), (block) => block.includes('statement.csv'));
const sums = '{ registrySpend(by: [ENDPOINT]) { endpoint units uncertainUnits } }';

/** Runs the lines, with a statement by endpoint. */
async function runLines(
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

describe('the lines of the documents that reconcile the ledger with a statement', () => {
  const rig = engineRig('embedded');
  const padron = keptPadronForTests(rig);
  beforeAll(async () => {
    for (const nss of [person.nss, card('html', 'nss'), card('server-error', 'nss')])
      await padron.ask(`{ person(nss: "${nss}") { credit { outcome } housingAccount { outcome } } }`);
  });

  const reconcile = (statement: Readonly<Record<string, number | string>>): Promise<string> =>
    runLines({ url: padron.url, token: SANDBOX_TOKEN }, statement);
  const taken = (endpoint: string): number =>
    padron.callsInFull().reduce((sum, call) => (call.endpoint === endpoint ? sum + call.units : sum), 0);
  const ledger = async () => (await padron.ask(sums)).data.registrySpend;

  it('are few', () => {
    expect(command.trim().split('\n').length).toBeLessThan(20);
  });

  it('settle what agrees, so that the sums are those of the statement, and leave the rest', async () => {
    const before = await ledger();
    expect(before.map(({ uncertainUnits }: { uncertainUnits: number }) => uncertainUnits > 0)).toEqual([true, true]);
    const said = await reconcile({ [CREDIT]: taken(CREDIT), [ACCOUNT]: taken(ACCOUNT) + 100, 'POST /api/x': 1 });
    expect(said.split('\n').sort()).toEqual([
      '',
      expect.stringMatching(`^DIFFERS ${ACCOUNT} .* statement ${taken(ACCOUNT) + 100}$`),
      'DIFFERS POST /api/x ledger 0 + 0 uncertain, statement 1',
      expect.stringMatching(`^agrees ${CREDIT} `),
    ]);
    const [credit, account] = [CREDIT, ACCOUNT].map((endpoint) =>
      before.find((sum: { endpoint: string }) => sum.endpoint === endpoint),
    );
    expect(await ledger()).toEqual(
      expect.arrayContaining([account, { ...credit, units: taken(CREDIT), uncertainUnits: 0 }]),
    );
    expect(await reconcile({ [CREDIT]: taken(CREDIT), [ACCOUNT]: taken(ACCOUNT) })).not.toContain('DIFFERS');
    expect(await ledger()).toEqual(
      expect.arrayContaining(
        [CREDIT, ACCOUNT].map((endpoint) => ({ endpoint, units: taken(endpoint), uncertainUnits: 0 })),
      ),
    );
  });

  it('read units with commas between the thousands, and say of which line they cannot', async () => {
    const said = await reconcile({ 'POST /api/x': '"1,204"', 'POST /api/y': ' 1,234,567', 'POST /api/z': 12 });
    expect(said).toContain('DIFFERS POST /api/x ledger 0 + 0 uncertain, statement 1204\n');
    expect(said).toContain('DIFFERS POST /api/y ledger 0 + 0 uncertain, statement 1234567\n');
    expect(said).toContain('DIFFERS POST /api/z ledger 0 + 0 uncertain, statement 12\n');
    await expect(reconcile({ [CREDIT]: 'many' })).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`${CREDIT},many`),
    });
  });
});

describe('the same lines with a token that lacks a scope', () => {
  const rig = engineRig('embedded');
  const secret = 'a-secret-shared-with-the-identity-provider';
  const tokenOf = (claims: Claims): string => signedBySecret(secret, claims);
  const padron = keptPadronForTests(rig, { REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET: secret });
  beforeAll(async () => {
    const authorization = `Bearer ${tokenOf({ client_id: 'hr', scope: 'use_buscar_credito' })}`;
    await padron.ask(`{ person(nss: "${card('html', 'nss')}") { credit { outcome } } }`, {}, { authorization });
  });

  it.each([
    ['padron_ledger_settle', 'padron_ledger'],
    ['padron_ledger', 'padron_ledger_settle'],
  ])('end with the error that names it, and say of nothing that it agrees: %s', async (lacking, scope) => {
    const statement = { [CREDIT]: padron.callsInFull().reduce((sum, { units }) => sum + units, 0) };
    await expect(runLines({ url: padron.url, token: tokenOf({ scope }) }, statement)).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^The caller lacks the scope \`${lacking}\`[^\n]*\n`)),
    });
  });
});
