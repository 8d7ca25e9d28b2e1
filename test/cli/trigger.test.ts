import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { eventExamples } from '../../src/money/events/event-store';
import { WEBHOOK_SECRET } from '../support/padrons/webhooks';
import { freePort } from '../support/processes/free-port';
import { padronCommand } from '../support/processes/padron-command';
import { watchProcess } from '../support/processes/process';
import { waitUntil } from '../support/proxies/deferred';
import { startServer } from '../support/start-server';

const examples = Object.entries(eventExamples);
const types = Object.keys(eventExamples).sort();

/** Types in the statements that add events. That of a batch is its state. */
function addedTypes(): readonly string[] {
  const texts = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|sql)$/.test(file))
    .map((file) => readFileSync(`src/${file}`, 'utf8'))
    .filter((text) => /INSERT INTO ledger_events|PERFORM ledger_add_event/.test(text));
  const named = texts.flatMap((text) => [...text.matchAll(/'([a-z]+\.[a-z]+)'(?!:)/g)].map(([, type = '']) => type));
  const triggers = texts.flatMap((text) => /CREATE OR REPLACE TRIGGER batch_add_event[^;]+/.exec(text) ?? []).join();
  const states = [...triggers.matchAll(/NEW\.state = '(\w+)'/g)].map(([, state = '']) => `batch.${state.toLowerCase()}`);
  return [...new Set([...named, ...states])].sort();
}

describe('the command `padron trigger`', () => {
  const trigger = (url: string, ...args: readonly string[]) =>
    padronCommand(['trigger', ...args], { WEBHOOK_URL: url, WEBHOOK_SECRET: `${WEBHOOK_SECRET},${WEBHOOK_SECRET}` });

  it('lists every type of event that padron adds, and that its documents explain', async () => {
    const { code, output } = await padronCommand(['trigger']);
    expect([code, output.trim().split('\n').sort()]).toEqual([0, types]);
    expect(addedTypes()).toEqual(types);
    for (const page of ['docs/events.md', 'docs/es/events.md'])
      expect([...readFileSync(page, 'utf8').matchAll(/^\| `(\w+\.\w+)` \|/gm)].map(([, type]) => type).sort()).toEqual(
        types,
      );
  });

  it('sends every type once to the documented receiver, which accepts it', async () => {
    const port = await freePort();
    const env = { PATH: process.env.PATH ?? '', PORT: `${port}`, WEBHOOK_SECRET };
    const receiver = watchProcess(spawn('python3', ['examples/webhooks/receiver.py'], { env }));
    const url = `http://127.0.0.1:${port}`;
    await waitUntil(async () => (await fetch(url, { method: 'POST' }).catch(() => null))?.status === 400, 30_000);
    for (const [type] of examples) {
      const { code, output, text } = await trigger(url, type);
      expect([code, text]).toEqual([0, '']);
      expect(output).toMatch(/^HTTP 204 after \d+ ms\nThe receiver accepts events\.$/m);
    }
    await receiver.stop();
    const received = receiver.standardOutput().trim().split('\n');
    expect(received.every((line) => /^evt_[0-9a-f]{32} \{"type"/.test(line))).toBe(true);
    const bodies = received.map((line) => JSON.parse(line.slice(line.indexOf('{'))));
    expect(bodies.map(({ type, data, test }) => [type, data, test])).toEqual(
      examples.map(([type, data]) => [type, data, true]),
    );
  });

  it('prints what a receiver answers that does not accept the event, and what to do', async () => {
    const secret: string[] = [];
    const { url, close } = await startServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      new Webhook(WEBHOOK_SECRET).verify(Buffer.concat(chunks).toString(), request.headers as Record<string, string>);
      secret.push(request.url ?? '');
      response.writeHead(307, { location: '/elsewhere' }).end('first line\n\u001b[31msecond line\n'.repeat(9));
    });
    const { code, output } = await trigger(`${url}/hook?key=planted`, 'batch.done');
    expect([code, secret]).toEqual([1, ['/hook?key=planted']]);
    expect(output).toMatch(/^HTTP 307 after \d+ ms\nfirst line\n\\u001b\[31msecond line\n/m);
    expect(output.match(/line/g)).toHaveLength(10);
    expect(output).toContain('The receiver must answer with 2xx.');
    expect(output).not.toContain('planted');
    await close();
    expect(await trigger(url, 'batch.done')).toMatchObject({ code: 4, text: expect.stringContaining('ECONNREFUSED') });
  });

  it('explains missing settings and unknown types', async () => {
    const message = expect.stringContaining('Set WEBHOOK_URL and WEBHOOK_SECRET');
    expect(await padronCommand(['trigger', 'batch.done'])).toMatchObject({ code: 2, text: message });
    const text = expect.stringContaining('need each other');
    expect(await padronCommand(['trigger', 'batch.done'], { WEBHOOK_SECRET })).toMatchObject({ code: 2, text });
    expect(await trigger('http://127.0.0.1:1', 'toString')).toMatchObject({ code: 2 });
  });
});
