import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WEBHOOK_SECRET } from '../support/padrons/webhooks';
import { type PadronProcess, startProcess } from '../support/processes/process';
import { startReceiver } from '../support/proxies/receiver';
import { BatchClient, CREDIT, NSS } from '../support/requests/batches';
import { card } from '../support/sandbox/cards';
import { engineRig } from '../support/stores/engines';

const read = (file: string) => JSON.parse(readFileSync(join(__dirname, file), 'utf8'));
const programs: readonly (readonly [name: string, version: string])[] = Object.entries<string>(
  read('package.json').dependencies,
).map(([name, source]) => [name, source.replace(/.*@/, 'v')]);

it('are all that package.json names', () => {
  const majors = [...read('../../package.json').engines.node.matchAll(/\^(\d+)/g)].map(([, major]) => `node-${major}`);
  expect(programs.map(([name]) => name)).toEqual(majors);
});

describe.each(programs)('padron as it is built, on %s', (name, version) => {
  const rig = engineRig('embedded');
  const node = join(__dirname, 'node_modules', name, 'bin/node');
  const running: PadronProcess[] = [];
  const start = (program: string, settings: Readonly<Record<string, string>>): PadronProcess => {
    const started = startProcess({ PORT: '0', ...settings }, { node, program });
    running.push(started);
    return started;
  };
  beforeAll(() => {
    if (!existsSync(node)) throw new Error(`${name} is not installed here: npm ci --prefix test/nodes`);
  });
  afterEach(() => {
    for (const { child } of running.splice(0)) child.kill('SIGKILL');
  });

  it('answers an operation, runs a batch to its end and stops', async () => {
    expect(execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()).toBe(version);
    const service = start('sandbox/main.js', {});
    const [REGISTRY_URL = ''] = /http:\S+/.exec(await service.says('REGISTRY_URL=')) ?? [];
    const padron = start('main.js', { REGISTRY_URL, DATA_DIR: rig.folder() });
    const client = new BatchClient({ url: await padron.address() });

    const [nss] = NSS;
    expect(await client.ask(CREDIT, { nss })).toMatchObject({
      person: { credit: { outcome: 'FOUND', evidence: { units: 1, servedFrom: 'LIVE' } } },
    });
    const rows = NSS.slice(1, 4).map((value) => ({ nss: value }));
    const { id } = await client.ready(CREDIT, rows);
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 3, earlierAnswers: PAY_AGAIN)`);
    expect((await client.until(id, 'DONE', 'PAUSED', 'FAILED')).progress).toMatchObject({ done: 3, spentUnits: 3 });

    padron.child.kill('SIGTERM');
    service.child.kill('SIGTERM');
    expect(await Promise.all([padron.ended(), service.ended()])).toEqual([0, 0]);
    expect(padron.output()).not.toMatch(/deprecat|experimental/i);
  });

  it('ends calls and deliveries of events in time, although garbage is collected while they wait', async () => {
    const receiver = await startReceiver(() => null);
    const service = start('sandbox/main.js', {});
    const [REGISTRY_URL = ''] = /http:\S+/.exec(await service.says('REGISTRY_URL=')) ?? [];
    const padron = start('main.js', {
      REGISTRY_URL,
      // The slow card answers after two seconds. The store has as long for each opening, also on a busy machine.
      REGISTRY_TIMEOUT_MS: '1800',
      WEBHOOK_URL: receiver.url,
      WEBHOOK_SECRET,
      DATA_DIR: rig.folder(),
      NODE_OPTIONS: `--require ${join(__dirname, '../support/processes/collect-garbage.cjs')}`,
    });
    const client = new BatchClient({ url: await padron.address() });
    const { id } = await client.ready(CREDIT, [{ nss: NSS[0] }]);
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 1, earlierAnswers: PAY_AGAIN)`);
    const { credit } = (await client.ask(CREDIT, { nss: card('slow', 'nss') })).person;
    expect(credit).toMatchObject({ outcome: 'UNAVAILABLE', problems: [{ code: 'REGISTRY_TIMEOUT' }] });
    await receiver.until(1);
    expect(await padron.says('TimeoutError')).toContain('WEBHOOK_URL did not accept an event');
    await receiver.close();
  });
});
