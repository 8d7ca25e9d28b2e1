import { engineRig } from '../support/stores/engines';
import { askGateway, type Gateway, gateways } from './gateways/gateway';
import { ana } from './hr';
import { type Subgraphs, startSubgraphs } from './subgraphs';

/** A query that becomes two requests to padron, which both ask for the credit of the same person. */
const split = `query ($nss: NSS) { person(nss: $nss) { credit { outcome } }
  employees(ids: ["e1"]) { person { credit { outcome } housingAccount { outcome } } } }`;

for (const kind of gateways) {
  (kind.installed ? describe : describe.skip)(`${kind.name} that forwards \`x-max-age\``, () => {
    const rig = engineRig();
    let subgraphs: Subgraphs;
    let gateway: Gateway;
    beforeAll(async () => {
      const { environment } = await rig.settings();
      subgraphs = await startSubgraphs({ ...environment, REUSE_DAYS: '30', REPLAY_SECONDS: '0' });
      gateway = await kind.start(subgraphs.supergraph);
    }, 60_000);
    afterAll(async () => {
      await gateway?.stop();
      await subgraphs?.stop();
    });

    it('uses paid answers again, and with `0s` pays each question of a split operation once', async () => {
      const authorization = subgraphs.freshAuthorization();
      const ask = async (maxAge: string) => {
        subgraphs.between.reset();
        subgraphs.padron.calls();
        const headers = { authorization, 'x-max-age': maxAge };
        const { data, errors } = await askGateway(gateway, { query: split, variables: { nss: ana.nss } }, headers);
        const { credit } = data.person;
        const ages = subgraphs.between.requests.map((request) => request.headers['x-max-age']);
        return { errors, outcome: credit.outcome, ages, calls: subgraphs.padron.calls().length };
      };
      const found = { errors: undefined, outcome: 'FOUND' };
      expect(await ask('30d')).toEqual({ ...found, ages: ['30d', '30d'], calls: 2 });
      expect(await ask('30d')).toEqual({ ...found, ages: ['30d', '30d'], calls: 0 });
      expect(await ask('0s')).toEqual({ ...found, ages: ['0s', '0s'], calls: 2 });
      expect(subgraphs.padron.spent(authorization.replace('Bearer ', ''))).toBe(4);
    }, 60_000);
  });
}
