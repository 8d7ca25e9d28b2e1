import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Webhook } from 'standardwebhooks';
import { EventSender } from '../../../../src/money/ledger/events/event-sender';
import { EventStore } from '../../../../src/money/ledger/events/event-store';
import { times } from '../../../../src/times';
import { waitUntil } from '../../../support/proxies/deferred';
import { noProxies } from '../../../support/proxies/no-proxies';
import { startServer } from '../../../support/start-server';
import { engineRig, engines } from '../../../support/stores/engines';
import { storeForTests } from '../../../support/stores/store-for-tests';

const secrets = [1, 2].map((byte) => Buffer.alloc(32, byte));
const textOf = (secret: Buffer | undefined): string => `whsec_${secret?.toString('base64')}`;

interface Post {
  readonly path: string;
  readonly body: string;
  readonly headers: Record<string, string>;
}

describe.each(engines)('the sender of events on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const store = storeForTests(rig);
  const ends: (() => Promise<unknown>)[] = [];
  beforeEach(() => store.query('DELETE FROM ledger_events'));
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  /** Starts a receiver whose response depends on the event. */
  const receive = async (respond: (data: { readonly n: number }, response: ServerResponse) => void) => {
    const posts: Post[] = [];
    const server = await startServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      posts.push({
        path: request.url ?? '',
        body,
        headers: request.headers as Record<string, string>,
      });
      respond(JSON.parse(body || '{"data":{}}').data, response);
    });
    ends.push(server.close);
    const failures: string[] = [];
    const happened: string[] = [];
    const start = ({ hasWebhook = true } = {}): EventSender => {
      const sender = new EventSender({
        events: new EventStore(store),
        webhook: () => (hasWebhook ? { url: `${server.url}/hook?key=1`, secrets, proxies: noProxies } : null),
        now: () => new Date(),
        observer: {
          eventHappened: ({ id }) => void happened.push(id),
          eventDelivered: () => undefined,
          eventNotDelivered: (_event, reason, isFinal) => void failures.push(isFinal ? `${reason}, final` : reason),
          eventsFailed: (error) => void failures.push(String(error)),
        },
      });
      sender.start();
      ends.push(() => sender.close());
      return sender;
    };
    return { posts, failures, happened, start, sent: () => posts.map(({ body }) => JSON.parse(body).data.n) };
  };
  const add = (n: number, subject = `s${n}`) =>
    store.query(
      `INSERT INTO ledger_events (key, accounts, type, subject, data) VALUES ($1, ARRAY['a'], 'test', $2, json_build_object('n', $3::int))`,
      [`key ${n}`, subject, n],
    );
  const states = async () => {
    const rows = await store.query<{ state: string; attempts: number; last_status: number | null }>(
      'SELECT state, attempts, last_status FROM ledger_events ORDER BY number',
    );
    return rows.map(({ state, attempts, last_status }) => [state, attempts, last_status]);
  };
  const makeDue = () => store.query('UPDATE ledger_events SET next_at = now()');

  it('stores the pause of a registry that it has seen just before it stops', async () => {
    const { start } = await receive((_data, response) => void response.end());
    const sender = start();
    sender.reportRegistry('housing fund', 'REGISTRY_UNREACHABLE');
    await sender.close();
    expect(await store.query('SELECT type FROM ledger_events')).toEqual([{ type: 'registry.paused' }]);
  });

  it('reports an event that was sent in vain if WEBHOOK_URL is no longer set', async () => {
    const { failures, happened, posts, start } = await receive(() => undefined);
    await add(1);
    await store.query(`UPDATE ledger_events SET attempts = 9, queued_at = now() - interval '5 days'`);
    start({ hasWebhook: false });
    await waitUntil(() => failures.length === 1);
    expect([failures, happened, posts]).toEqual([['WEBHOOK_URL is not set, final'], [], []]);
  });

  it('signs with each secret in the form of Standard Webhooks, with the same ID and body in every attempt', async () => {
    let accepts = false;
    const receiver = await receive((_data, response) => response.writeHead(accepts ? 204 : 500).end());
    await add(1);
    receiver.start();
    await waitUntil(() => receiver.failures.length === 1);
    accepts = true;
    await makeDue();
    await waitUntil(() => receiver.posts.length === 2);
    const [first, second] = receiver.posts;
    expect([second?.headers['webhook-id'], second?.body]).toEqual([first?.headers['webhook-id'], first?.body]);
    expect(first?.headers['webhook-id']).toMatch(/^evt_[0-9a-f]{32}$/);
    for (const { headers, body } of receiver.posts) {
      for (const secret of secrets)
        expect(new Webhook(textOf(secret)).verify(body, headers)).toEqual({
          type: 'test',
          timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
          data: { n: 1 },
        });
      expect(headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
      expect(() => new Webhook(textOf(Buffer.alloc(32, 3))).verify(body, headers)).toThrow();
      expect(() => new Webhook(textOf(secrets[0])).verify(`${body} `, headers)).toThrow();
    }
    await waitUntil(async () => (await states())[0]?.[0] === 'DELIVERED');
    expect(await states()).toEqual([['DELIVERED', 2, 204]]);
    expect(receiver.happened).toHaveLength(1);
  });

  it('keeps the order of a subject, and lets other subjects pass', async () => {
    let accepts = false;
    const receiver = await receive(({ n }, response) => response.writeHead(n === 1 && !accepts ? 503 : 204).end());
    await add(1, 'batch');
    await add(2, 'batch');
    await add(3, 'budget');
    const [one, other] = [receiver.start(), receiver.start()];
    await waitUntil(() => receiver.sent().includes(3));
    await sleep(2.5 * times.eventPoll);
    expect(receiver.sent().sort()).toEqual([1, 3]);
    accepts = true;
    await makeDue();
    await waitUntil(() => receiver.sent().includes(2));
    expect(receiver.sent().filter((n) => n !== 3)).toEqual([1, 1, 2]);
    await Promise.all([one.close(), other.close()]);
  });

  it('lets pauses grow, gives up after three days, and then sends the next event of the subject', async () => {
    const receiver = await receive(({ n }, response) => response.writeHead(n === 1 ? 500 : 204).end());
    await add(1, 'batch');
    await add(2, 'batch');
    receiver.start();
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await waitUntil(() => receiver.failures.length === attempt);
      const [row] = await store.query<{ seconds: number }>(
        `SELECT extract(epoch FROM next_at - now()) AS seconds FROM ledger_events WHERE key = 'key 1'`,
      );
      pauses.push(Math.round(row?.seconds ?? 0));
      if (attempt === 2) await store.query(`UPDATE ledger_events SET pause = '50 minutes'`);
      if (attempt === 4) await store.query(`UPDATE ledger_events SET queued_at = now() - interval '3 days'`);
      await makeDue();
    }
    expect(pauses).toEqual([5, 10, 3_000, 3_600]);
    await waitUntil(() => receiver.sent().includes(2));
    expect(receiver.failures.at(-1)).toBe('HTTP 500, final');
    await waitUntil(async () => (await states())[1]?.[0] === 'DELIVERED');
    expect(await states()).toEqual([
      ['FAILED', 5, 500],
      ['DELIVERED', 1, 204],
    ]);
  });

  it('delivers although unsettled calls cannot be counted', async () => {
    const receiver = await receive((_data, response) => response.writeHead(204).end());
    await store.query('ALTER TABLE ledger_entries RENAME TO hidden_entries');
    ends.push(() => store.query('ALTER TABLE hidden_entries RENAME TO ledger_entries'));
    await add(2);
    receiver.start();
    await waitUntil(() => receiver.sent().includes(2));
    expect(receiver.failures).toEqual([expect.stringContaining('ledger_entries')]);
  });

  it('follows no redirect', async () => {
    const receiver = await receive((_data, response) => response.writeHead(307, { location: '/elsewhere' }).end());
    await add(1);
    receiver.start();
    await waitUntil(() => receiver.failures.length === 1);
    expect(receiver.failures).toEqual(['HTTP 307']);
    expect(receiver.posts.map(({ path }) => path)).toEqual(['/hook?key=1']);
  });

  it('is not slowed down by a receiver that never answers, or whose answer has 100 MB or no end', async () => {
    // A deadline to which only garbage refers would never come.
    setFlagsFromString('--expose-gc');
    const collecting = setInterval(runInNewContext('gc'), 500);
    const { eventAnswer } = times;
    ends.push(async () => {
      clearInterval(collecting);
      setFlagsFromString('--no-expose-gc');
      times.eventAnswer = eventAnswer;
    });
    times.eventAnswer = 100_000;
    let written = 0;
    const flood = (response: ServerResponse): void => {
      response.writeHead(200);
      const chunk = Buffer.alloc(64_000);
      const write = (): void => {
        while (!response.destroyed && written < 100e6) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', write);
        }
      };
      write();
    };
    const receiver = await receive(({ n }, response) => {
      if (n === 1 || n === 6) return;
      if (n === 2) return flood(response);
      if (n === 3) return void response.writeHead(200).write('a beginning');
      response.writeHead(204).end();
    });
    for (const n of [1, 2, 3, 4]) await add(n);
    const sender = receiver.start();
    await waitUntil(async () => (await states()).filter(([state]) => state === 'DELIVERED').length === 3);
    await add(5);
    await waitUntil(async () => (await states())[4]?.[0] === 'DELIVERED');
    expect(receiver.failures).toEqual([]);
    times.eventAnswer = 1_000;
    await add(6);
    await waitUntil(() => receiver.failures.length === 1);
    expect(receiver.failures).toEqual(['TimeoutError']);
    // What was written beyond the limit is in the buffers of the sockets.
    expect(written).toBeLessThan(20e6);
    await sender.close();
  });

  it('sends an event again if its process ended before the receiver answered', async () => {
    const receiver = await receive(
      (_data, response) => void (receiver.posts.length > 1 && response.writeHead(204).end()),
    );
    await add(1);
    await new EventStore(store).lease(10, 20);
    const [{ seconds } = { seconds: 0 }] = await store.query<{ seconds: number }>(
      'SELECT extract(epoch FROM next_at - now()) AS seconds FROM ledger_events',
    );
    // Another process takes the event over when the lease ends, which leaves time for the second attempt within 30 seconds.
    expect(seconds).toBeGreaterThan(15);
    expect(seconds).toBeLessThanOrEqual(20);
    await makeDue();
    const interrupted = receiver.start();
    await waitUntil(() => receiver.posts.length === 1);
    await interrupted.close();
    receiver.start();
    await waitUntil(async () => (await states())[0]?.[0] === 'DELIVERED');
    expect(await states()).toEqual([['DELIVERED', 3, 204]]);
    expect(receiver.failures).toEqual([]);
  });
});
