import { getEventListeners, once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LiveDataSource } from '../../../src/money/calls/live-data-source';
import { ResponseDeadline } from '../../../src/money/calls/response-deadline';
import { UnitMeter } from '../../../src/money/units/unit-meter';
import { RegistryClient } from '../../../src/registry/client/client';
import { search } from '../../registry/search-endpoint';
import { memoryCalls, noOrigin } from '../../support/memory-calls';
import { waitUntil } from '../../support/proxies/deferred';

const caller = {
  bearer: 'token',
  account: 'account',
  tenant: 'account',
  sandbox: false,
  usesServerToken: false,
  permissions: null,
};

describe('a request with a thousand calls, all but one of which are queued', () => {
  let server: Server;
  let client: RegistryClient;
  let held: ServerResponse[];
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);

  beforeEach(async () => {
    held = [];
    warnings.length = 0;
    process.on('warning', warn);
    server = createServer((_request, response) => void held.push(response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    client = new RegistryClient({ url, timeoutMs: 10_000, concurrency: 1, paths: {}, now: () => new Date() });
  });
  afterEach(async () => {
    process.off('warning', warn);
    server.closeAllConnections();
    server.close();
    await client.close();
  });

  it.each(['fetch', 'fetchUncached'] as const)(
    'sends none of the queued calls if its client disconnects: %s',
    async (way) => {
      const { signal, abort } = withAbort();
      const calls = memoryCalls(client);
      const units = new UnitMeter(null);
      const dataSource = new LiveDataSource(calls, { caller, request: {}, signal }, units, noOrigin);
      const answers = Array.from({ length: 1_000 }, (_, number) => dataSource[way](search, { number }));
      await waitUntil(() => held.length === 1 && client.state().waiting === 999);

      abort();
      const outcomes = (await Promise.all(answers.slice(1))).flatMap(({ problems }) =>
        problems.map(({ code }) => code),
      );
      expect(outcomes).toEqual(Array.from({ length: 999 }, () => 'CALLER_GONE'));
      expect(client.state()).toMatchObject({ running: 1, waiting: 0 });

      // A call that was sent is still answered.
      held[0]?.end(JSON.stringify({ success: true, status: 200, data: [1] }));
      expect((await answers[0])?.outcome).toBe('FOUND');
      expect([held.length, units.spent, calls.inFlight.size]).toEqual([1, 1, 0]);
      await sleep(0);
      expect(warnings).toEqual([]);
    },
  );

  it('adds one listener for its client, and none for finished calls', async () => {
    const { signal } = withAbort();
    const calls = memoryCalls(client);
    const dataSource = new LiveDataSource(calls, { caller, request: {}, signal }, new UnitMeter(null), noOrigin);
    const shared = Array.from({ length: 20 }, (_, number) => dataSource.fetch(search, { number }));
    await waitUntil(() => client.state().waiting === 19);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);

    const own = Array.from({ length: 20 }, (_, number) => dataSource.fetchUncached(search, { number }));
    await waitUntil(() => client.state().waiting === 39);
    server.on('request', (_request, response) => response.end('{"success":true,"status":200,"data":[]}'));
    held[0]?.end('{"success":true,"status":200,"data":[]}');
    await Promise.all([...shared, ...own]);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    expect(warnings).toEqual([]);
  });
});

describe('a call that requests share which are answered early', () => {
  it('holds none of them until it ends', async () => {
    const held: ServerResponse[] = [];
    const server = createServer((_request, response) => void held.push(response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = new RegistryClient({ url, timeoutMs: 60_000, concurrency: 1, paths: {}, now: () => new Date() });
    const calls = memoryCalls(client);
    const sourceOf = (units: UnitMeter, deadline: ResponseDeadline | null): LiveDataSource =>
      new LiveDataSource(calls, { caller, request: {}, signal: withAbort().signal }, units, noOrigin, deadline);
    const askEarly = async (): Promise<WeakRef<LiveDataSource>> => {
      const units = new UnitMeter(null);
      const deadline = new ResponseDeadline(1, units, client, calls.early.of(caller, null));
      const source = sourceOf(units, deadline);
      expect((await source.fetch(search, { number: 1 })).outcome).toBe('UNAVAILABLE');
      expect(deadline.isLate).toBe(false);
      return new WeakRef(source);
    };
    const paid = sourceOf(new UnitMeter(null), null).fetch(search, { number: 1 });
    await waitUntil(() => held.length === 1);
    const sharing = await Promise.all(Array.from({ length: 20 }, askEarly));
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    await waitUntil(() => {
      collectGarbage();
      return sharing.every((source) => source.deref() === undefined);
    });
    held[0]?.end(JSON.stringify({ success: true, status: 200, data: [1] }));
    expect((await paid).outcome).toBe('FOUND');
    await calls.close();
    server.closeAllConnections();
    server.close();
    await client.close();
  });
});

function withAbort() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
