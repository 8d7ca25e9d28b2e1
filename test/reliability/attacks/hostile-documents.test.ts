import { setTimeout as sleep } from 'node:timers/promises';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { type Sandbox, startSandbox } from '../../../src/extensions/sandbox/service';
import { emptyHostilePdfs, hostilePdfs } from '../../support/documents/hostile-pdfs';
import { findOrThrow } from '../../support/find-or-throw';
import { payer } from '../../support/operations/employer-graph';
import { post } from '../../support/padrons/padron';
import { type PadronProcess, startProcess } from '../../support/processes/process';
import { startProxy, type TamperingProxy } from '../../support/proxies/tampering-proxy';

const { registration, rfc } = payer;
const { nss } = findOrThrow(people, ({ credit }) => credit);
const paidCall = `{ person(nss: "${nss}") { credit { outcome } } }`;
/** Asks for an opinion. Each kind is a separate question. */
const opinion = (kind: string) => `{ employer(registration: "${registration}") {
  complianceOpinion(rfc: "${rfc}", kind: "${kind}") {
  outcome problems { code } opinion { sense } } } }`;
const documents = [
  ...hostilePdfs.map(([name, , make]) => [name, make] as const),
  ...emptyHostilePdfs.map(([name, make]) => [name, make] as const),
];

describe('hostile documents of a registry', () => {
  let sandbox: Sandbox;
  let proxy: TamperingProxy;
  let padron: PadronProcess;
  let url: string;
  beforeAll(async () => {
    sandbox = await startSandbox();
    proxy = await startProxy(sandbox.url);
    padron = startProcess({ PORT: '0', LOG_LEVEL: 'error', REPLAY_SECONDS: '0', REGISTRY_URL: proxy.url });
    url = await padron.address();
  });
  afterAll(async () => {
    padron.child.kill('SIGTERM');
    await padron.ended();
    await proxy.close();
    await sandbox.close();
  });

  it.each(documents)(
    'are read two at a time without delaying paid calls: %s',
    async (_, make) => {
      const bytes = make();
      proxy.tamper((__, { path }) => (path === '/private/32d-imss' ? { bytes } : null));
      const before = sandbox.spent(SANDBOX_TOKEN);
      let isReading = true;
      const reading = Promise.all(['A', 'B'].map((kind) => post(url, { query: opinion(kind) }))).finally(() => {
        isReading = false;
      });
      let spent = 0;
      while (isReading) {
        const { data, ...rest } = await post(url, { query: paidCall });
        expect({ ...rest, outcome: data.person.credit.outcome }).toMatchObject({ status: 200, outcome: 'FOUND' });
        spent += 1;
        await sleep(20);
      }
      for (const { data } of await reading)
        expect(data.employer.complianceOpinion).toEqual({
          outcome: 'FOUND',
          problems: [{ code: 'OPINION_UNREADABLE' }],
          opinion: null,
        });
      expect(spent).toBeGreaterThan(0);
      // Both opinions share the call that resolves the obligated subject.
      expect(sandbox.spent(SANDBOX_TOKEN) - before).toBe(spent + 3);
      expect(padron.child.exitCode).toBeNull();
      expect(padron.child.signalCode).toBeNull();
    },
    60_000,
  );
});
