import { CREDIT } from '../support/operations/people-endpoints';
import { card } from '../support/sandbox/cards';
import { askGateway, type Gateway, gateways } from './gateways/gateway';
import { ana } from './hr';
import { type Subgraphs, startSubgraphs } from './subgraphs';

/** Timeout of an attempt. A busy machine answers other requests much sooner. */
const attemptMs = 1_500;
/** Latency of the slow card of the sandbox: longer than an attempt, shorter than all attempts together. */
const slowMs = 4_000;

const evidence = 'evidence { validationCode servedFrom units billing }';
const anaAtWork = `{ employees(ids: ["e1"]) { person { credit { outcome ${evidence} } identity { outcome ${evidence} } }
  company { employer { snapshots { outcome ${evidence} } } } } }`;
const byNss = `query ($nss: NSS) { person(nss: $nss) { credit { outcome ${evidence} } } }`;
const lost = { status: 503, json: { errors: [{ message: 'The answer was lost.' }] } };

for (const kind of gateways) {
  (kind.installed ? describe : describe.skip)(`${kind.name}, which repeats requests`, () => {
    let subgraphs: Subgraphs;
    let gateway: Gateway;
    let authorization: string;
    beforeAll(async () => {
      subgraphs = await startSubgraphs({ REPLAY_SECONDS: '30' }, undefined, slowMs);
      gateway = await kind.start(subgraphs.supergraph, { attemptMs });
      // The first request takes longer than any other: not part of what is tried here.
      await askGateway(gateway, { query: anaAtWork }, { authorization: subgraphs.freshAuthorization() });
    }, 60_000);
    afterAll(async () => {
      await gateway?.stop();
      await subgraphs?.stop();
    });
    beforeEach(() => {
      authorization = subgraphs.freshAuthorization();
      subgraphs.padron.calls();
      subgraphs.between.reset();
    });

    const ask = (query: string, variables: unknown = {}) =>
      askGateway(gateway, { query, variables }, { authorization });
    const spent = (): number => subgraphs.padron.spent(authorization.replace('Bearer ', ''));

    it('pays once if the paid answer is lost', async () => {
      // padron has answered by then, and the service has been paid.
      subgraphs.between.tamper((_answer, { arrivals }) => (arrivals === 1 ? lost : null));
      const { data, errors } = await ask(byNss, { nss: ana.nss });
      expect(errors).toBeUndefined();
      expect(data.person.credit).toMatchObject({
        outcome: 'FOUND',
        evidence: { servedFrom: 'REPLAY', units: 0, validationCode: expect.stringMatching(/^\w{20}$/) },
      });
      expect(subgraphs.between.requests.length).toBeGreaterThan(1);
      expect(subgraphs.padron.calls()).toEqual([CREDIT]);
      expect(spent()).toBe(1);
    });

    it('pays once if the gateway times out: its retries wait for the call in progress', async () => {
      const { data, errors } = await ask(byNss, { nss: card('slow', 'nss') });
      expect(errors).toBeUndefined();
      expect(data.person.credit).toMatchObject({ outcome: 'FOUND', evidence: { servedFrom: 'REPLAY', units: 0 } });
      expect(subgraphs.between.requests.length).toBeGreaterThan(1);
      expect(subgraphs.padron.calls()).toEqual([CREDIT]);
      expect(spent()).toBe(1);
    });
  });
}
