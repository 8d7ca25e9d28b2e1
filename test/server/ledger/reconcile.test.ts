import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { people } from '../../../src/sandbox/data/people';
import { card } from '../../support/cards';
import { engineRig } from '../../support/engines';
import { findOrThrow } from '../../support/find-or-throw';
import { keptPadron } from '../../support/ledger';
import type { RunningPadron } from '../../support/padron';
import { blocksOf } from '../../support/pages';
import { ACCOUNT, CREDIT } from '../../support/people-endpoints';

const person = findOrThrow(people, ({ credit, account }) => Boolean(credit && account));
const command = findOrThrow(blocksOf('sh'), (block) => block.includes('statement.csv'));
const sums = '{ registrySpend(by: [ENDPOINT]) { endpoint units uncertainUnits } }';

describe('the lines of the documents that reconcile the ledger with a statement', () => {
  const rig = engineRig('embedded');
  let padron: RunningPadron;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'padron-statement-'));
    padron = await (await keptPadron(rig)).start();
    for (const nss of [person.nss, card('html', 'nss'), card('server-error', 'nss')])
      await padron.ask(`{ person(nss: "${nss}") { credit { outcome } housingAccount { outcome } } }`);
  });
  afterAll(async () => {
    await padron.stop();
    rmSync(folder, { recursive: true });
  });

  const reconcile = async (statement: Readonly<Record<string, number>>): Promise<string> => {
    const lines = Object.entries(statement).map(([endpoint, units]) => `${endpoint},${units}\n`);
    writeFileSync(join(folder, 'statement.csv'), lines.join(''));
    const env = { GRAPH: padron.url, TOKEN: SANDBOX_TOKEN, FROM: '2020-01-01T00:00:00Z', TO: '2100-01-01T00:00:00Z' };
    const { stdout } = await promisify(execFile)('sh', ['-c', command], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
    });
    return stdout;
  };
  const taken = (endpoint: string): number =>
    padron.callsInFull().reduce((sum, call) => (call.endpoint === endpoint ? sum + call.units : sum), 0);
  const ledger = async () => (await padron.ask(sums)).data.registrySpend;

  it('are ten', () => {
    expect(command.trim().split('\n')).toHaveLength(12);
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
});
