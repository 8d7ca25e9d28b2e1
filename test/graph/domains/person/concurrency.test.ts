import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOWNLOAD, LIST, NOW, OPINION, payer, SNAPSHOTS, SUBJECT } from '../../../support/operations/employer-graph';
import { ACCOUNT, CREDIT } from '../../../support/operations/people-endpoints';
import { type RunningPadron, runPadron } from '../../../support/padrons/padron';
import { type BarrierProxy, startBarrierProxy } from '../../../support/proxies/barrier-proxy';

const example = (name: string): string =>
  readFileSync(join(__dirname, '../../../../schema/examples', `${name}.graphql`), 'utf8');

/** Every field of an employer: the example, and the opinion with its chain. */
const employerQuery = example('employer-year').replace(
  '    snapshots {',
  '    complianceOpinion { outcome evidence { units } }\n    snapshots {',
);

const year = { registration: payer.registration, from: '2025-01', to: '2025-12' };

let barrier: BarrierProxy;
let padron: RunningPadron;

async function ask(waves: readonly number[], query: string, variables: Readonly<Record<string, unknown>>) {
  barrier = await startBarrierProxy(...waves);
  padron = await runPadron({
    now: () => NOW,
    registryUrl: ({ url }) => barrier.setTarget(url),
    environment: { REGISTRY_TIMEOUT_MS: '5000' },
  });
  return padron.ask(query, variables);
}

afterEach(async () => {
  await padron.stop();
  await barrier.close();
});

/** Returns the number of requests to each endpoint. */
function counted(requests: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const request of requests) counts[request] = (counts[request] ?? 0) + 1;
  return counts;
}

describe('the calls of one request wait only for their prerequisites', () => {
  it('a profile: two calls concurrently, then the three that need the name or the CURP', async () => {
    const { data } = await ask([2, 3], example('person-profile'), { nss: '04159600263' });
    expect(barrier.arrived).toHaveLength(5);
    expect([...barrier.arrived.slice(0, 2)].sort()).toEqual([CREDIT, ACCOUNT]);
    const { nss: _nss, consistency, ...lookups } = data.person;
    expect(consistency.status).toBe('CONSISTENT');
    for (const { outcome } of Object.values<{ outcome: string }>(lookups)) expect(outcome).toBe('FOUND');
  });

  it("an employer's year: the months, the snapshots and the subject concurrently, then every file and the opinion", async () => {
    const { data } = await ask([14, 14], employerQuery, year);
    expect(counted(barrier.arrived.slice(0, 14))).toEqual({ [LIST]: 12, [SNAPSHOTS]: 1, [SUBJECT]: 1 });
    const files = barrier.arrived.length - 15;
    expect(counted(barrier.arrived.slice(14))).toEqual({ [DOWNLOAD]: files, [OPINION]: 1 });
    expect(data.employer.complianceOpinion.outcome).toBe('FOUND');
  });
});
