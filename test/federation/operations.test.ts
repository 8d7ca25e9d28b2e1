import { randomUUID } from 'node:crypto';
import { parse } from 'graphql';
import { networkForTests } from '../clients/clients';
import { pageClients } from '../clients/lookups-page';
import { CREDIT, IDENTITY } from '../support/operations/people-endpoints';
import { card } from '../support/sandbox/cards';
import { engineRig } from '../support/stores/engines';
import { askGateway, collect, type Gateway, gateways } from './gateways/gateway';
import { ana, zoe } from './hr';
import { promisesOf } from './promises';
import { type Subgraphs, startSubgraphs } from './subgraphs';

type Headers = Readonly<Record<string, string>>;

/** Latency of the slow card. Much longer than the time that a busy machine takes for the other call. */
const slowMs = 6_000;
/** Timeout of an attempt of the gateway that retries. A busy machine answers other requests much sooner. */
const attemptMs = 1_500;
const slow = card('slow', 'nss');

const profile = `query ($slow: NSS, $curp: CURP) {
  slow: person(nss: $slow) { credit { outcome problems { code } evidence { servedFrom } } }
  fast: person(curp: $curp) { identity { outcome } }
}`;
const slowCredit = `query SlowCredit($nss: NSS!) {
  person(nss: $nss) { nss credit { ...Proof } }
}
fragment Proof on RegistryLookup { outcome evidence { checkedAt } problems { code retryable retryAfter } }`;
/** A query that becomes two requests to padron, of one unit and of two units. */
const split = `query ($nss: NSS) { person(nss: $nss) { credit { problems { code } } }
  employees(ids: ["e1"]) { person { credit { problems { code } } housingAccount { problems { code } } } } }`;
const byNss = `query ($nss: NSS) { person(nss: $nss) {
  credit { outcome evidence { validationCode servedFrom units billing } } } }`;
const lost = { status: 503, json: { errors: [{ message: 'The answer was lost.' }] } };
const network = networkForTests();

for (const kind of gateways) {
  (kind.installed ? describe : describe.skip)(`an operation behind ${kind.name}`, () => {
    const promise = promisesOf(kind);
    const rig = engineRig();
    const running: Gateway[] = [];
    let subgraphs: Subgraphs;
    let gateway: Gateway;
    let authorization: string;
    const start = async (options = {}): Promise<Gateway> => {
      const started = await kind.start(subgraphs.supergraph, options);
      running.push(started);
      // The first request of a gateway takes longer than any other.
      await askGateway(started, { query: '{ registryEndpoints { units } }' }, { authorization: '' });
      subgraphs.between.reset();
      return started;
    };
    beforeAll(async () => {
      const { environment } = await rig.settings();
      subgraphs = await startSubgraphs({ ...environment, REPLAY_SECONDS: '30', REUSE_DAYS: '30' }, undefined, slowMs);
      gateway = await start();
    });
    afterAll(async () => {
      await Promise.all(running.map((each) => each.stop()));
      await subgraphs?.stop();
    });
    beforeEach(() => {
      authorization = subgraphs.freshAuthorization();
      subgraphs.padron.calls();
      subgraphs.between.reset();
    });
    const ask = (query: string, variables: object, headers: Headers = {}, by = gateway) =>
      askGateway(by, { query, variables }, { authorization, ...headers });
    const spent = (): number => subgraphs.padron.spent(authorization.replace('Bearer ', ''));
    const received = (name: string) => subgraphs.between.requests.map(({ headers }) => headers[name]);

    promise('answerWithin', async () => {
      const variables = { slow, curp: ana.curp };
      const early = await ask(profile, variables, { 'x-answer-within': '2s' });
      expect(early.data.slow.credit).toMatchObject({ outcome: 'UNAVAILABLE', problems: [{ code: 'STILL_RUNNING' }] });
      expect(early.data.fast.identity.outcome).toBe('FOUND');

      const late = await ask(profile, variables, { 'x-answer-within': '20s' });
      expect(late.data.slow.credit).toEqual({ outcome: 'FOUND', problems: [], evidence: { servedFrom: 'REPLAY' } });
      expect([...subgraphs.padron.calls()].sort()).toEqual([CREDIT, IDENTITY].sort());
      expect(spent()).toBe(2);
    });

    promise('ages', async () => {
      const askAged = async (age: string): Promise<number> => {
        subgraphs.between.reset();
        await ask(split, { nss: ana.nss }, { 'x-max-age': age });
        expect(received('x-max-age')).toEqual([age, age]);
        return subgraphs.padron.calls().length;
      };
      expect([await askAged('30d'), await askAged('30d'), await askAged('0s')]).toEqual([2, 0, 2]);
      expect(spent()).toBe(4);
    });

    it.each(pageClients)(
      'lets a page of %s fill in a lookup that was still running, for one charge',
      async (_, open) => {
        const headers = { authorization, 'x-answer-within': '1s' };
        const page = open(gateway.url, network, parse(slowCredit), { nss: slow }, { headers });
        await page.ask();
        expect(page.shown().person.credit.problems).toMatchObject([{ code: 'STILL_RUNNING' }]);
        expect(await page.retry()).toBe('complete');
        expect(page.shown().person.credit.outcome).toBe('FOUND');
        expect(subgraphs.padron.calls()).toEqual([CREDIT]);
        expect(spent()).toBe(1);
      },
    );

    /** Runs an operation with a budget of two units. Its second request is rejected as a whole only if the first one has sent its call. */
    async function askSplit(headers: Headers = {}, by = gateway) {
      const { data, errors } = await ask(split, { nss: zoe.nss }, { 'x-max-units': '2', ...headers }, by);
      return [...new Set(collect({ data, errors }, 'code'))];
    }

    promise('ownLimit', async () => {
      const operationIds = [];
      for (let operation = 0; operation < 2; operation += 1) {
        authorization = subgraphs.freshAuthorization();
        subgraphs.between.reset();
        expect(await askSplit()).toEqual(['UNIT_BUDGET_EXCEEDED']);
        expect(spent()).toBeLessThanOrEqual(2);
        const [id, same, ...others] = received('x-operation-id');
        expect([id, same, others]).toEqual([expect.stringMatching(/^[\w-]{36}$/), id, []]);
        operationIds.push(id);
      }
      expect(new Set(operationIds).size).toBe(2);
    });

    promise('clientLimit', async () => {
      expect(await askSplit({ 'x-operation-id': 'of-the-client' })).toEqual(['UNIT_BUDGET_EXCEEDED']);
      expect(spent()).toBeLessThanOrEqual(2);
      expect(received('x-operation-id')).toEqual(['of-the-client', 'of-the-client']);
    });

    promise('keeps', async () => {
      const askKept = async (headers: Headers) => {
        subgraphs.between.reset();
        const all = { 'x-operation-keep': '1h', 'x-operation-retry': 'unknown', ...headers };
        const answer = await ask(split, { nss: zoe.nss }, all);
        return [answer.headers['x-operation-until'], received('x-operation-keep'), received('x-operation-retry')];
      };
      expect(await askKept({ 'x-operation-id': 'of-the-client-and-its-secret' })).toEqual([
        expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        ['1h', '1h'],
        ['unknown', 'unknown'],
      ]);
      const [until, ...sent] = await askKept({});
      expect(until).toBeUndefined();
      // padron rejects the headers without an ID. A gateway may not send them with an ID that it made.
      if (kind.makesIds) expect(sent).toEqual(Array(2).fill([undefined, undefined]));
    });

    (kind.makesIds ? it.skip : it)("is within one budget with the client's trace, if it makes no ID", async () => {
      expect(await askSplit({ traceparent: `00-${randomUUID().replaceAll('-', '')}-00f067aa0ba902b7-01` })).toEqual([
        'UNIT_BUDGET_EXCEEDED',
      ]);
      expect(spent()).toBeLessThanOrEqual(2);
      expect(received('x-operation-id')).toEqual([undefined, undefined]);
    });

    // The script of Apollo Router always makes an ID.
    (kind.makesIds && !kind.repeats ? it.skip : it)('exceeds its budget without that header', async () => {
      const withoutIds = kind.makesIds ? await start({ operationIds: false }) : gateway;
      expect(await askSplit({}, withoutIds)).toEqual([]);
      expect([spent(), received('x-operation-id')]).toEqual([3, [undefined, undefined]]);
    });

    (kind.repeats ? describe : describe.skip)('that repeats requests', () => {
      let retrying: Gateway;
      beforeAll(async () => {
        retrying = await start({ attemptMs });
      });

      it.each([
        ['if the paid answer is lost', ana.nss],
        ['if the gateway times out: its retries wait for the call in progress', slow],
      ])('pays once %s', async (_what, nss) => {
        // padron has answered by then, and the service has been paid.
        if (nss !== slow) subgraphs.between.tamper((_answer, { arrivals }) => (arrivals === 1 ? lost : null));
        const { data, errors } = await ask(byNss, { nss }, {}, retrying);
        expect(errors).toBeUndefined();
        expect(data.person.credit).toMatchObject({
          outcome: 'FOUND',
          evidence: { servedFrom: 'REPLAY', units: 0, validationCode: expect.stringMatching(/^\w{20}$/) },
        });
        expect(subgraphs.between.requests.length).toBeGreaterThan(1);
        expect(subgraphs.padron.calls()).toEqual([CREDIT]);
        expect(spent()).toBe(1);
      });
    });
  });
}
