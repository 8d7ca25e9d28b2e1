import { setTimeout as sleep } from 'node:timers/promises';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { luhnCheckDigit } from '../../../src/extensions/sandbox/data/identifiers';
import { people } from '../../../src/extensions/sandbox/data/people';
import { startSandbox } from '../../../src/extensions/sandbox/service';
import type { Failure } from '../../../src/extensions/sandbox/test-cards/failures';
import { type PadronProcess, startProcess } from '../../support/processes/process';
import { startProxy } from '../../support/proxies/tampering-proxy';
import { BatchClient, CREDIT } from '../../support/requests/batches';
import { card } from '../../support/sandbox/cards';
import { paidTwice } from '../../support/sandbox/paid-twice';
import { engineRig, ownServerRig } from '../../support/stores/engines';

const rowCount = 1_000;
const kills = 5;
/** Latency of the service, during which a kill interrupts calls. */
const answerMs = 30;

/** Failures that do not concern the whole account. The first three do not show whether they were charged. */
const failures: readonly Failure[] = [
  ...(['server-error', 'unavailable', 'html'] as const),
  ...(['not-found', 'bad-request', 'unprocessable', 'forbidden', 'somebody-else', 'slow'] as const),
];
const cards = failures.map((failure) => card(failure, 'nss'));
const uncertainCards = cards.slice(0, 3);
const registered = people.map(({ nss }) => nss);
const mistyped = registered.slice(0, 40).map((nss) => nss.slice(0, 10) + ((Number(nss[10]) + 1) % 10));
const strangers = new Set<string>();
for (let serial = 0; strangers.size < 0.6 * rowCount; serial += 1) {
  const body = `${registered[serial % registered.length]?.slice(0, 6)}${String(9_999 - (serial % 9_999)).padStart(4, '0')}`;
  const nss = body + luhnCheckDigit(body);
  if (!registered.includes(nss)) strangers.add(nss);
}
/** A realistic dataset: people, unknown people, repetitions, wrong digits, and test cards. */
const distinct = [...registered, ...cards, ...mistyped, ...strangers];
const rows = Array.from({ length: rowCount }, (_, index) => distinct[(index * 7) % distinct.length] ?? '');
const askable = new Set(rows.filter((nss) => !mistyped.includes(nss)));
const csv = `ref,nss\n${rows.map((nss, index) => `person ${index + 1},${nss}`).join('\n')}\n`;

interface KillRun {
  readonly environment: Readonly<Record<string, string>>;
  readonly workers: number;
  readonly kills: number;
  /** Runs instead of each kill, for example to stop the store. */
  readonly disturb?: () => Promise<void>;
}

/** Runs a batch to its end while its processes are killed at regular progress. Each killed process is replaced. */
async function runKilled({ environment, workers, kills, disturb }: KillRun) {
  const sandbox = await startSandbox();
  const proxy = await startProxy(sandbox.url);
  proxy.tamper(() => sleep(answerMs).then(() => null));
  const fleet: { readonly process: PadronProcess; readonly client: BatchClient }[] = [];
  const spawn = async (): Promise<BatchClient> => {
    const settings = { PORT: '0', LOG_LEVEL: 'error', BATCH_CONCURRENCY: '16', REGISTRY_URL: proxy.url };
    const process = startProcess({ ...settings, ...environment });
    const client = new BatchClient({ url: await process.address() });
    fleet.push({ process, client });
    return client;
  };
  const kill = async (index: number): Promise<void> => {
    const [victim] = fleet.splice(index, 1);
    victim?.process.child.kill('SIGKILL');
    await victim?.process.ended();
  };
  try {
    let client = await spawn();
    for (let worker = 1; worker < workers; worker += 1) client = await spawn();
    const { batch } = await client.create({ operation: CREDIT, key: 'kills' });
    await client.upload(batch.uploadUrl, csv);
    const { estimate } = await client.until(batch.id, 'READY');
    expect(estimate).toMatchObject({ rowCount, estimatedUnits: askable.size, bounded: true });
    await client.change(`startRegistryBatch(id: "${batch.id}", maxUnits: ${rowCount}, earlierAnswers: PAY_AGAIN)`);
    const untilEnded = async (goal: number): Promise<void> => {
      for (;;) {
        const { state, reason, progress } = await client.get(batch.id);
        if (progress.rows - progress.waiting >= goal) return;
        if (state !== 'RUNNING') throw new Error(`The batch is ${state} (${reason?.code}).`);
        await sleep(20);
      }
    };
    for (let killed = 0; killed < kills; killed += 1) {
      await untilEnded(((killed + 1) * rowCount) / (kills + 2));
      if (disturb !== undefined) await disturb();
      else {
        await kill(killed % workers);
        client = await spawn();
      }
    }
    await untilEnded(rowCount);
    const { progress } = await client.until(batch.id, 'DONE');
    return {
      paidTwice: paidTwice(sandbox.calls),
      service: sandbox.spent(SANDBOX_TOKEN),
      spent: progress.spentUnits,
      uncertain: progress.uncertainUnits,
      unknown: progress.unknown,
      ended: progress.done + progress.failed + progress.unknown,
    };
  } finally {
    while (fleet.length > 0) await kill(0);
    await proxy.close();
    await sandbox.close();
  }
}

/** Expects no question to be paid twice, and the charge to be between the known units and the possible ones. */
function expectAccounted(result: Awaited<ReturnType<typeof runKilled>>): void {
  expect(result).toMatchObject({ paidTwice: [], ended: rowCount });
  expect(result.spent).toBeLessThanOrEqual(result.service);
  expect(result.service).toBeLessThanOrEqual(result.spent + result.uncertain);
  expect(result.spent + result.uncertain).toBeLessThanOrEqual(askable.size);
}

describe('a batch whose process is killed five times', () => {
  const rig = engineRig('embedded');

  it('pays for no question twice, on the embedded store', async () => {
    const { environment } = await rig.settings();
    expectAccounted(await runKilled({ environment, workers: 1, kills }));
  });
});

describe('a batch whose workers are killed five times, on PostgreSQL', () => {
  const rig = ownServerRig();
  const run = async (killing: Omit<KillRun, 'environment'>) =>
    runKilled({ environment: (await rig.settings()).environment, ...killing });

  it('pays for no question twice, with two workers', async () => {
    expectAccounted(await run({ workers: 2, kills }));
  }, 400_000);

  it('waits for a database that is killed three times, and pays for each question once', async () => {
    const disturb = async (): Promise<void> => {
      await rig.cluster.kill();
      await sleep(1_500);
      await rig.cluster.start();
    };
    const result = await run({ workers: 2, kills: 3, disturb });
    expectAccounted(result);
    expect(result).toEqual(await run({ workers: 1, kills: 0 }));
    expect(result.uncertain).toBe(uncertainCards.filter((nss) => askable.has(nss)).length);
  });
});
