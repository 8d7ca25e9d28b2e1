import { askGateway, type Gateway, gateways } from './gateways/gateway';
import { zoe } from './hr';
import { type Subgraphs, startSubgraphs } from './subgraphs';

/** A query that becomes two requests to padron, of one unit and of two units. */
const split = `query ($nss: NSS) { person(nss: $nss) { credit { outcome } }
  employees(ids: ["e1"]) { person { credit { outcome } housingAccount { outcome } } } }`;

for (const kind of gateways) {
  (kind.installed ? describe : describe.skip)(`an operation that ${kind.name} splits`, () => {
    let subgraphs: Subgraphs;
    const running: Gateway[] = [];
    beforeAll(async () => {
      subgraphs = await startSubgraphs({ REPLAY_SECONDS: '30' });
    });
    afterAll(async () => {
      await Promise.all(running.map((gateway) => gateway.stop()));
      await subgraphs?.stop();
    });

    /** Runs an operation with a budget of two units. Returns its result and the operation ids of its requests. */
    async function askSplit(gateway: Gateway, headers: Readonly<Record<string, string>> = {}) {
      const authorization = subgraphs.freshAuthorization();
      subgraphs.between.reset();
      const all = { authorization, 'x-max-units': '2', ...headers };
      const { errors = [] } = await askGateway(gateway, { query: split, variables: { nss: zoe.nss } }, all);
      const ids = subgraphs.between.requests.map((request) => request.headers['x-operation-id']);
      const codes = [...new Set(errors.map(({ extensions }) => extensions.code))];
      return { spent: subgraphs.padron.spent(authorization.replace('Bearer ', '')), ids, codes };
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

    it('lasts with the id of the client, and with no other', async () => {
      const [gateway] = running;
      if (gateway === undefined) throw new Error('No gateway runs.');
      const authorization = subgraphs.freshAuthorization();
      const until = '2026-12-01T12:00:00.000Z';
      const askKept = async (headers: Readonly<Record<string, string>>) => {
        subgraphs.between.reset();
        // padron has no store here, so the proxy answers as if the operation lasted.
        subgraphs.between.tamper((_, request) =>
          request.headers['x-operation-keep'] === undefined
            ? null
            : { status: 200, headers: { 'x-operation-until': until } },
        );
        const all = { authorization, 'x-operation-keep': '1h', 'x-operation-retry': 'unknown', ...headers };
        const answer = await askGateway(gateway, { query: split, variables: { nss: zoe.nss } }, all);
        const names = ['x-operation-keep', 'x-operation-retry'];
        const received = subgraphs.between.requests.map((request) => names.map((name) => request.headers[name]));
        return { until: answer.headers['x-operation-until'], received };
      };
      const both = ['1h', 'unknown'];
      expect(await askKept({ 'x-operation-id': 'of-the-client-and-its-secret' })).toEqual({
        until,
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
