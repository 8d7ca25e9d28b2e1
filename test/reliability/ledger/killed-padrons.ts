import { setTimeout as sleep } from 'node:timers/promises';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { type Sandbox, startSandbox } from '../../../src/extensions/sandbox/service';
import type { PreparedPadron } from '../../support/padrons/ledger';
import { post } from '../../support/padrons/padron';
import { type PadronProcess, startProcess } from '../../support/processes/process';

/** Sums of the same calls in the ledger and in the service. */
export interface Accounts {
  readonly serviceUnits: number;
  readonly serviceCalls: number;
  readonly spent: number;
  readonly uncertain: number;
  readonly entries: number;
  readonly answered: number;
}

const query = `query Load($nss: NSS!) { person(nss: $nss) { credit { outcome } housingAccount { outcome } } }`;
const concurrency = 16;

/** Ends processes under load, each with its signal, and the last one with SIGTERM. */
export async function endUnderLoad(prepared: PreparedPadron, signals: readonly NodeJS.Signals[]): Promise<Accounts> {
  const service = await startSandbox();
  let answered = 0;
  try {
    for (const signal of [...signals, 'SIGTERM'] as const) {
      const padron = startProcess({ ...prepared.environment, ...settingsFor(service) });
      answered += await endInLoad(padron, signal);
    }
    const [sums] = await prepared.read((store) =>
      store.query<Omit<Accounts, 'answered'>>(
        `SELECT sum(units) AS spent, count(*) FILTER (WHERE served_from = 'LIVE') AS entries,
           coalesce(sum(price) FILTER (WHERE billing = 'UNKNOWN'), 0) AS uncertain FROM ledger_entries`,
      ),
    );
    if (sums === undefined) throw new Error('The ledger gives no sums.');
    return { ...sums, answered, serviceUnits: service.spent(SANDBOX_TOKEN), serviceCalls: service.calls.length };
  } finally {
    await service.close();
  }
}

const settingsFor = (service: Sandbox): Readonly<Record<string, string>> => ({
  PORT: '0',
  REGISTRY_URL: service.url,
  REPLAY_SECONDS: '0',
  LOG_LEVEL: 'warn',
});

async function endInLoad(padron: PadronProcess, signal: NodeJS.Signals): Promise<number> {
  const url = await padron.address();
  if (url === '') throw new Error(`A padron did not start: ${padron.output()}`);
  let answered = 0;
  let isOver = false;
  const clients = Array.from({ length: concurrency }, async (_, client) => {
    for (let turn = client; !isOver; turn += concurrency) {
      const nss = people[turn % people.length]?.nss;
      const answer = await post(url, { query, variables: { nss } }).catch(() => null);
      if (answer?.status === 200) answered += 1;
    }
  });
  // The first calls of a process open its store. The kill must interrupt later calls.
  while (answered < concurrency) await sleep(20);
  await sleep(Math.random() * 500);
  padron.child.kill(signal);
  await padron.ended();
  isOver = true;
  await Promise.all(clients);
  return answered;
}
