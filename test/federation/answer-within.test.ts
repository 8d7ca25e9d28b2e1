import { parse } from 'graphql';
import { networkForTests } from '../clients/clients';
import { pageClients } from '../clients/lookups-page';
import { CREDIT, IDENTITY } from '../support/operations/people-endpoints';
import { card } from '../support/sandbox/cards';
import { engineRig } from '../support/stores/engines';
import { askGateway, type Gateway, gateways } from './gateways/gateway';
import { ana } from './hr';
import { type Subgraphs, startSubgraphs } from './subgraphs';

const query = `query ($slow: NSS, $curp: CURP) {
  slow: person(nss: $slow) { credit { outcome problems { code } evidence { servedFrom } } }
  fast: person(curp: $curp) { identity { outcome } }
}`;
/** Latency of the slow card. Much longer than the time that a busy machine takes for the other call. */
const slowMs = 6_000;
const request = { query, variables: { slow: card('slow', 'nss'), curp: ana.curp } };

const slowCredit = `query SlowCredit($nss: NSS!) {
  person(nss: $nss) { nss credit { ...Proof } }
}
fragment Proof on RegistryLookup { outcome evidence { checkedAt } problems { code retryable retryAfter } }`;
const variables = { nss: card('slow', 'nss') };
const network = networkForTests();

for (const kind of gateways) {
  (kind.installed ? describe : describe.skip)(`${kind.name} that forwards \`x-answer-within\` and ages`, () => {
    const rig = engineRig();
    let subgraphs: Subgraphs;
    let gateway: Gateway;
    beforeAll(async () => {
      const { environment } = await rig.settings();
      subgraphs = await startSubgraphs({ ...environment, REPLAY_SECONDS: '30', REUSE_DAYS: '30' }, undefined, slowMs);
      gateway = await kind.start(subgraphs.supergraph);
    }, 60_000);
    afterAll(async () => {
      await gateway?.stop();
      await subgraphs?.stop();
    });

    it('passes on what has arrived in time, and then the rest, for one charge', async () => {
      const authorization = subgraphs.freshAuthorization();
      // The first request of a gateway takes longer than any other.
      await askGateway(gateway, { query: '{ registryEndpoints { units } }' }, { authorization });
      const early = await askGateway(gateway, request, { authorization, 'x-answer-within': '2s' });
      expect(early.data.slow.credit).toMatchObject({ outcome: 'UNAVAILABLE', problems: [{ code: 'STILL_RUNNING' }] });
      expect(early.data.fast.identity.outcome).toBe('FOUND');

      const late = await askGateway(gateway, request, { authorization, 'x-answer-within': '20s' });
      expect(late.data.slow.credit).toEqual({ outcome: 'FOUND', problems: [], evidence: { servedFrom: 'REPLAY' } });
      expect([...subgraphs.padron.calls()].sort()).toEqual([CREDIT, IDENTITY].sort());
      expect(subgraphs.padron.spent(authorization.replace('Bearer ', ''))).toBe(2);
    }, 60_000);

    it('uses paid answers again, and with `0s` pays each question of an operation that it splits once', async () => {
      const authorization = subgraphs.freshAuthorization();
      const variables = { nss: ana.nss };
      const split = `query ($nss: NSS) { person(nss: $nss) { credit { outcome } }
        employees(ids: ["e1"]) { person { credit { outcome } housingAccount { outcome } } } }`;
      const ask = async (age: string): Promise<number> => {
        subgraphs.between.reset();
        await askGateway(gateway, { query: split, variables }, { authorization, 'x-max-age': age });
        expect(subgraphs.between.requests.map(({ headers }) => headers['x-max-age'])).toEqual([age, age]);
        return subgraphs.padron.calls().length;
      };
      expect([await ask('30d'), await ask('30d'), await ask('0s')]).toEqual([2, 0, 2]);
      expect(subgraphs.padron.spent(authorization.replace('Bearer ', ''))).toBe(4);
    });

    it.each(pageClients)(
      'lets a page of %s fill in a lookup that was still running, for one charge',
      async (_, open) => {
        const authorization = subgraphs.freshAuthorization();
        const headers = { authorization, 'x-answer-within': '1s' };
        const page = open(gateway.url, network, parse(slowCredit), variables, { headers });
        await page.ask();
        expect(page.shown().person.credit.problems).toMatchObject([{ code: 'STILL_RUNNING' }]);
        expect(await page.retry()).toBe('complete');
        expect(page.shown().person.credit.outcome).toBe('FOUND');
        expect(subgraphs.padron.calls()).toEqual([CREDIT]);
        expect(subgraphs.padron.spent(authorization.replace('Bearer ', ''))).toBe(1);
      },
      60_000,
    );
  });
}
