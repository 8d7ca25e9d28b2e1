import { proxiedPadronForTests } from '../../support/padrons/padron-for-tests';
import { slowness } from '../../support/processor-time';
import { holdResponses } from '../../support/proxies/held-responses';
import { nss } from '../../support/requests/credit-request';
import { expectRefusal } from '../../support/requests/http';
import { startForTests } from '../../support/start-for-tests';
import { sizeAttacks } from '../attacks/attack-sizes';
import { asked, complaintsOf } from '../attacks/probe';
import { holdRequests } from './held-requests';
import { measureCost, startMeasured } from './measured-padron';
import { documentKinds, growthUnderDocuments } from './memory';
import { wideRequests } from './wide-requests';

const paid = `{ person(nss: "${nss}") { credit { outcome } } }`;

describe('a service that does not answer', () => {
  const padron = proxiedPadronForTests({ REGISTRY_CONCURRENCY: '10000', REGISTRY_TIMEOUT_MS: '120000' });

  it('has 1,000 waiting requests, which are all answered when it answers', async () => {
    expect(await holdRequests(padron, 1_000, 5)).toEqual({ held: 1_000, answered: 1_000 });
  });
});

describe('more requests than LIMIT_REQUESTS', () => {
  const padron = proxiedPadronForTests({ LIMIT_REQUESTS: '2' });

  it('are rejected at once with Retry-After, at no cost', async () => {
    const held = holdResponses(padron.proxy);
    const waiting = [padron.ask(paid), padron.ask(paid, {}, { 'x-sandbox': 'true' })];
    await held.arrived(2);
    const refused = await asked(paid)(padron.url);
    expectRefusal(refused, 503, 'OVERLOADED');
    expect(refused.headers['retry-after']).toBe('1');
    held.release();
    for (const { data } of await Promise.all(waiting)) expect(data.person.credit.outcome).toBe('FOUND');
    expect((await padron.ask(paid)).data.person.credit.outcome).toBe('FOUND');
    expect(padron.proxy.requests).toHaveLength(3);
  });
});

/** The promised limit is a second. Code that runs for the first time is not compiled yet. */
const maxCpuMs = 3_000;
const maxGrowth = 200_000_000;
const maxAnswerBytes = 25_000_000;

describe('a request within the limits', () => {
  const padron = startForTests(startMeasured, (running) => running.end());

  it.each([...sizeAttacks, ...wideRequests].map((probe) => [probe.name, probe] as const))(
    'costs little: %s',
    async (_name, probe) => {
      const before = await padron.usage();
      const { answer, cpuMs } = await measureCost(padron, probe.send);
      const { peakRss } = await padron.usage();
      expect(complaintsOf(probe, answer)).toEqual([]);
      expect(cpuMs).toBeLessThan(maxCpuMs * slowness());
      expect(peakRss - before.peakRss).toBeLessThan(maxGrowth);
      expect(answer.text.length).toBeLessThan(maxAnswerBytes);
    },
  );
});

/** Number of documents, which would take 360 MB if padron kept them. */
const documents = 120;

describe('different documents', () => {
  it.each(documentKinds)('take little memory: %s', async (_what, make, variables) => {
    expect(await growthUnderDocuments(documents, make, variables)).toBeLessThan(200);
  });
});
