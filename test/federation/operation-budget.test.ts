import { engineRig } from '../support/stores/engines';
import { askGateway, type Gateway, gateways } from './gateways/gateway';
import { ana, zoe } from './hr';
import { type Subgraphs, startSubgraphs } from './subgraphs';

/** A query that becomes two requests to padron, of one unit and of two units. */
const split = `query ($nss: NSS) { person(nss: $nss) { credit { outcome } }
  employees(ids: ["e1"]) { person { credit { outcome } housingAccount { outcome } } } }`;

for (const kind of gateways) {
  (kind.installed ? describe : describe.skip)(`an operation that ${kind.name} splits`, () => {
    const rig = engineRig();
    let subgraphs: Subgraphs;
    const running: Gateway[] = [];
    beforeAll(async () => {
      const { environment } = await rig.settings();
      subgraphs = await startSubgraphs({ ...environment, REPLAY_SECONDS: '0', REUSE_DAYS: '30' });
    });
    afterAll(async () => {
      await Promise.all(running.map((gateway) => gateway.stop()));
      await subgraphs?.stop();
    });

    /** Runs an operation with a budget of two units. Returns its result, and the operation ids and ages of its requests. */
    async function askSplit(gateway: Gateway, headers: Readonly<Record<string, string>> = {}, { nss } = zoe) {
      subgraphs.between.reset();
      const all = { authorization: subgraphs.freshAuthorization(), 'x-max-units': '2', ...headers };
      const { errors = [] } = await askGateway(gateway, { query: split, variables: { nss } }, all);
      const sent = (name: string) => subgraphs.between.requests.map((request) => request.headers[name]);
      const [ids, ages] = [sent('x-operation-id'), sent('x-max-age')];
      const codes = [...new Set(errors.map(({ extensions }) => extensions.code))];
      return { spent: subgraphs.padron.spent(all.authorization.replace('Bearer ', '')), ids, ages, codes };
    }

    it('is within one budget with `x-operation-id`, which it creates for each operation', async () => {
      const gateway = await kind.start(subgraphs.supergraph);
      running.push(gateway);
      const [first, second] = [await askSplit(gateway), await askSplit(gateway)];
      for (const { spent, ids, codes } of [first, second]) {
        expect(spent).toBeLessThanOrEqual(2);
        expect(codes).toEqual(['UNIT_BUDGET_EXCEEDED']);
        expect(ids).toHaveLength(2);
        expect(new Set(ids).size).toBe(1);
        expect(ids[0]).toMatch(/^[\w-]{36}$/);
      }
      expect(first.ids[0]).not.toBe(second.ids[0]);
    }, 60_000);

    it("forwards the client's id", async () => {
      const [gateway] = running;
      if (gateway === undefined) throw new Error('No gateway runs.');
      const { ids } = await askSplit(gateway, { 'x-operation-id': 'of-the-client' });
      expect(ids).toEqual(['of-the-client', 'of-the-client']);
    });

    it('uses paid answers again with `x-max-age`, and with `0s` pays each question once', async () => {
      const [gateway] = running;
      if (gateway === undefined) throw new Error('No gateway runs.');
      const authorization = subgraphs.freshAuthorization();
      const spent: number[] = [];
      for (const age of ['30d', '30d', '0s']) {
        // Both requests ask for the credit of the same person.
        const asked = await askSplit(gateway, { authorization, 'x-max-units': '9', 'x-max-age': age }, ana);
        expect(asked).toMatchObject({ ages: [age, age], codes: [] });
        spent.push(asked.spent);
      }
      expect(spent).toEqual([2, 2, 4]);
    });

    it('lasts with the id of the client, and with no other', async () => {
      const [gateway] = running;
      if (gateway === undefined) throw new Error('No gateway runs.');
      const authorization = subgraphs.freshAuthorization();
      const askKept = async (headers: Readonly<Record<string, string>>) => {
        subgraphs.between.reset();
        const all = { authorization, 'x-operation-keep': '1h', 'x-operation-retry': 'unknown', ...headers };
        const answer = await askGateway(gateway, { query: split, variables: { nss: zoe.nss } }, all);
        const names = ['x-operation-keep', 'x-operation-retry'];
        const received = subgraphs.between.requests.map((request) => names.map((name) => request.headers[name]));
        return { until: answer.headers['x-operation-until'], received };
      };
      const both = ['1h', 'unknown'];
      expect(await askKept({ 'x-operation-id': 'of-the-client-and-its-secret' })).toEqual({
        until: expect.stringMatching(/^\d{4}-.+Z$/),
        received: [both, both],
      });
      const neither = [undefined, undefined];
      expect(await askKept({})).toEqual({ until: undefined, received: [neither, neither] });
    });

    it('exceeds its budget without that header', async () => {
      const gateway = await kind.start(subgraphs.supergraph, { operationIds: false });
      running.push(gateway);
      const { spent, ids, codes } = await askSplit(gateway);
      expect({ spent, ids, codes }).toEqual({ spent: 3, ids: [undefined, undefined], codes: [] });
    }, 60_000);
  });
}
