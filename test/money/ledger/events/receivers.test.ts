import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { request } from 'undici';
import { EventSender } from '../../../../src/money/ledger/events/event-sender';
import type { EventStore } from '../../../../src/money/ledger/events/event-store';
import { WEBHOOK_SECRET } from '../../../support/padrons/webhooks';
import { freePort } from '../../../support/processes/free-port';
import { watchProcess } from '../../../support/processes/process';
import { waitUntil } from '../../../support/proxies/deferred';
import { noProxies } from '../../../support/proxies/no-proxies';

const secret = Buffer.from(WEBHOOK_SECRET.replace('whsec_', ''), 'base64');
const body = '{"type":"batch.ready","timestamp":"2026-11-24T16:05:12.481Z","data":{"batch":"año"}}';
const now = (): number => Math.floor(Date.now() / 1_000);
const tsx = join(__dirname, '../../../../node_modules/.bin/tsx');

interface Message {
  readonly id?: string;
  readonly timestamp?: string | number;
  readonly signature?: string;
  readonly body?: string;
}

const sign = ({ id = 'evt_1', timestamp = now() }: Message, key = secret): string =>
  `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;

const folder = join(__dirname, '../../../../examples/webhooks');
const receivers = [
  ['receiver.ts', tsx],
  ['receiver.py', 'python3'],
] as const;

describe.each(receivers)('examples/webhooks/%s', (file, program) => {
  let url: string;
  let watched: ReturnType<typeof watchProcess>;
  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const environment = { PATH: process.env.PATH ?? '', PORT: String(port), WEBHOOK_SECRET };
    watched = watchProcess(spawn(program, [file], { cwd: folder, env: environment }));
    await waitUntil(
      () =>
        new Promise((resolve) => {
          const socket = connect(port, '127.0.0.1', () => resolve(socket.end() !== null));
          socket.on('error', () => resolve(false));
        }),
    );
  });
  afterAll(() => watched.stop());

  const send = async (message: Message): Promise<number> => {
    const { id = 'evt_1', timestamp = now() } = message;
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': message.signature ?? sign({ id, timestamp }),
    };
    const response = await request(url, { method: 'POST', headers, body: message.body ?? body });
    await response.body.dump();
    return response.statusCode;
  };

  it('is a whole program of at most 30 lines', () => {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
  });

  it('answers 204 to an event that padron sends, and prints it once it is verified', async () => {
    const events = [{ id: 'evt_2', type: 'batch.done', at: new Date(), data: { rows: 3 }, attempts: 2 }];
    const delivered: number[] = [];
    const store = {
      isOpen: true,
      lease: async () => events.splice(0),
      recordUnsettled: async () => undefined,
      recordDelivery: async (_id: string, status: number) => void delivered.push(status),
    } as unknown as EventStore;
    const rethrow = (error: unknown): never => {
      throw error;
    };
    const ignore = (): void => undefined;
    const sender = new EventSender({
      events: store,
      webhook: () => ({ url, secrets: [Buffer.alloc(32, 9), secret], proxies: noProxies }),
      now: () => new Date(),
      observer: { eventHappened: ignore, eventDelivered: ignore, eventNotDelivered: rethrow, eventsFailed: rethrow },
    });
    sender.start();
    await waitUntil(() => delivered.length > 0);
    await sender.close();
    expect(delivered[0]).toBe(204);
    await waitUntil(() => watched.standardOutput().includes('evt_2'));
    expect(watched.standardOutput()).toMatch(/^evt_2 \{"type":"batch.done",.*"data":\{"rows":3\}\}\n/);
  });

  it('answers 204 within five minutes and with one right signature, and 400 to anything else', async () => {
    const wrong = sign({}, Buffer.alloc(32, 1));
    expect(await send({})).toBe(204);
    expect(await send({ timestamp: now() - 290 })).toBe(204);
    expect(await send({ signature: `${wrong} ${sign({})}` })).toBe(204);
    const refused: readonly Message[] = [
      { timestamp: now() - 310 },
      { timestamp: now() + 310 },
      { signature: wrong },
      { signature: '' },
      { signature: 'v1,' },
      { signature: sign({}, Buffer.alloc(0)) },
      { signature: sign({}).replace('v1,', 'v2,') },
      { id: 'evt_other', signature: sign({}) },
      { body: `${body} ` },
      { body: '' },
      ...['soon', '', 'NaN', '1e3', '9'.repeat(5_000)].map((timestamp) => ({ timestamp })),
    ];
    for (const message of refused) expect([message, await send(message)]).toEqual([message, 400]);
    const unsigned = await request(url, { method: 'POST', body });
    await unsigned.body.dump();
    expect(unsigned.statusCode).toBe(400);
    expect(await send({})).toBe(204);
  });
});
