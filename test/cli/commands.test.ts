import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { eventExamples } from '../../src/money/events/event-store';
import { WEBHOOK_SECRET } from '../support/padrons/webhooks';
import { freePort } from '../support/processes/free-port';
import { builtCommand, padronCommand } from '../support/processes/padron-command';
import { watchProcess } from '../support/processes/process';
import { waitUntil } from '../support/proxies/deferred';
import { startServer } from '../support/start-server';

const names = ['start', 'check', 'trigger', 'price', 'batch', 'verify', 'spend', 'reconcile'];

describe('the commands of padron', () => {
  it.each([[[]], [['--help']]])('are listed with one line each for %j', async (args) => {
    const { code, output, text } = await builtCommand(args);
    expect([code, text]).toEqual([0, '']);
    expect([...output.matchAll(/^ {2}(\w+) +\w.{20,}$/gm)].map(([, name]) => name)).toEqual(names);
  });

  it.each(['chek', '-V', 'toString'])('are named in one line of help if %s is given instead of one', async (name) => {
    expect(await padronCommand([name])).toEqual({
      code: 2,
      output: '',
      text: `\`${name}\` is not a command.\n\`padron --help\` lists the commands.\n`,
    });
  });

  it.each([
    ['check', '--jsn'],
    ['trigger', 'batch.don'],
    ['price', '--max-units', 'x'],
    ['batch', 'a.csv'],
    ['spend', '--by', 'week'],
    ['reconcile', '--settle'],
  ])('name the error and where the help is, in two lines: %s %s', async (name, ...args) => {
    const { code, output, text } = await padronCommand([name, ...args]);
    expect([code, output]).toEqual([2, '']);
    expect(text).toMatch(new RegExp(`^[^\n]+\n\`padron ${name} --help\` lists the arguments\\.\n$`));
  });

  it('are of a version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
    expect(await builtCommand(['--version'])).toMatchObject({ code: 0, output: `${version}\n` });
  });

  it.each(names)('explain themselves: %s --help', async (name) => {
    const { code, output } = await padronCommand([name, '--help']);
    expect([code, output]).toEqual([0, expect.stringMatching(`^padron ${name}`)]);
  });

  it('refuse arguments of start, whose settings are in the environment', async () => {
    const { code, text } = await builtCommand(['start', '--port', '4310']);
    expect([code, text]).toEqual([2, expect.stringContaining('`start` has no arguments.')]);
  });
});

const types = Object.keys(eventExamples);

/** Returns the types in the statements that add events. That of a batch is its state. */
function addedTypes(): ReadonlySet<string> {
  const texts = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|sql)$/.test(file))
    .map((file) => readFileSync(`src/${file}`, 'utf8'))
    .filter((text) => /INSERT INTO ledger_events|PERFORM ledger_add_event/.test(text));
  const named = texts.flatMap((text) => [...text.matchAll(/'([a-z]+\.[a-z]+)'(?!:)/g)].map(([, type = '']) => type));
  const trigger = texts.flatMap((text) => /CREATE OR REPLACE TRIGGER batch_add_event[^;]+/.exec(text) ?? []).join();
  const states = [...trigger.matchAll(/NEW\.state = '(\w+)'/g)].map(([, state = '']) => `batch.${state.toLowerCase()}`);
  return new Set([...named, ...states]);
}

describe('the command `padron trigger`', () => {
  const trigger = (url: string, type: string) =>
    padronCommand(['trigger', type], { WEBHOOK_URL: url, WEBHOOK_SECRET: `${WEBHOOK_SECRET},${WEBHOOK_SECRET}` });

  it('knows every type of event that padron adds, and that the documents explain', async () => {
    expect(await padronCommand(['trigger'])).toMatchObject({ code: 0, output: `${types.join('\n')}\n` });
    expect(addedTypes()).toEqual(new Set(types));
    for (const page of ['docs/events.md', 'docs/es/events.md']) {
      const rows = [...readFileSync(page, 'utf8').matchAll(/^\| `(\w+\.\w+)` \|/gm)].map(([, type]) => type);
      expect(new Set(rows)).toEqual(new Set(types));
    }
  });

  it('sends each type to the documented receiver, which accepts it', async () => {
    const port = await freePort();
    const env = { PATH: process.env.PATH ?? '', PORT: `${port}`, WEBHOOK_SECRET };
    const receiver = watchProcess(spawn('python3', ['examples/webhooks/receiver.py'], { env }));
    const url = `http://127.0.0.1:${port}`;
    await waitUntil(async () => (await fetch(url, { method: 'POST' }).catch(() => null))?.status === 400, 30_000);
    for (const type of types) {
      const { code, output } = await trigger(url, type);
      expect([code, output]).toEqual([
        0,
        expect.stringMatching(/\nHTTP 204 after \d+ ms\nThe receiver accepts events\.\n$/),
      ]);
    }
    await receiver.stop();
    const events = receiver
      .standardOutput()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line.slice(line.indexOf('{'))));
    expect(events).toEqual(
      Object.entries(eventExamples).map(([type, data]) => ({ type, timestamp: expect.any(String), data, test: true })),
    );
  });

  it('prints the answer of a receiver that does not accept it, and what to do', async () => {
    const { url, close } = await startServer((_request, response) =>
      response.writeHead(307, { location: '/elsewhere' }).end('line\n\u001b[31mline\n'.repeat(9)),
    );
    const { code, output } = await trigger(`${url}/hook?key=planted`, 'batch.done');
    expect([code, output.match(/line$/gm)?.length, output.includes('planted')]).toEqual([1, 10, false]);
    expect(output).toMatch(
      /\nHTTP 307 after \d+ ms\nline\n\\u001b\[31mline\n[\s\S]+The receiver must answer with 2xx\./,
    );
    await close();
    expect(await trigger(url, 'batch.done')).toMatchObject({ code: 4, text: expect.stringContaining('ECONNREFUSED') });
    const text = expect.stringContaining('Set WEBHOOK_URL and WEBHOOK_SECRET');
    expect(await padronCommand(['trigger', 'batch.done'])).toMatchObject({ code: 2, text });
  });
});
