import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { builtCommand } from '../../../support/processes/padron-command';
import { startForTests } from '../../../support/start-for-tests';
import { startServer } from '../../../support/start-server';

type Answer = (response: ServerResponse, query: string, request: IncomingMessage) => void;

const json =
  (body: unknown): Answer =>
  (response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  };

const data = (content: object | null): Answer => json({ data: content });

/** A server that answers every request as the test says, and counts them. */
const server = startForTests(
  async () => {
    const state = { answer: json({}) as Answer, requests: 0 };
    const http = await startServer(async (request, response) => {
      state.requests += 1;
      state.answer(response, await text(request), request);
    });
    return { state, origin: http.url, url: `${http.url}/graphql`, close: http.close };
  },
  ({ close }) => close(),
);

/** Characters that a terminal would execute, or show in another order: window title, clear screen, C1, DEL, reversed text. */
const attack = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u007f\u202etxt\u2066';
const shown = '\\u001b]0;owned\\u0007\\u001b[2J\\u009b31m\\u007f\\u202etxt\\u2066';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are the subject.
const executed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const progress = {
  ...{ rows: 1, done: 1, failed: 0, retryable: 0, unknown: 0, canceled: 0, erased: 0, doubtful: 0, waiting: 0 },
  ...{ running: 0, spentUnits: 1, uncertainUnits: 0, savedUnits: 0, rowsPerMinute: null, secondsLeft: null },
};
const links = { uploadUrl: null, csvUrl: null, xlsxUrl: null, jsonlUrl: null };
const noDataset = { refusedCount: 0, refusedRows: [], columns: [], sheet: null, sheets: [], estimate: null };
const batch = (changes: object) => ({
  ...{ id: 'b1', state: 'DONE', reason: null, pausedUntil: null, startProblem: null },
  ...{ ...links, ...noDataset, progress, ...changes },
});
/** Answers as a padron whose batch is always this one. */
const batchAnswer = (changes: object) =>
  data({ change: { batch: batch(changes), problems: [] }, registryBatch: batch(changes) });

const interval = ['--from', '2020-01-01', '--to', '2100-01-01'];
const root = join(__dirname, '../../../..');
const folder = fs.mkdtempSync(join(tmpdir(), 'padron-hostile-'));
fs.mkdirSync(join(folder, 'x'));
afterAll(() => fs.rmSync(folder, { recursive: true }));
const file = (name: string, content: string): string => {
  fs.writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const dataset = file('people.csv', 'nss\n1\n');
const operation = file('credit.graphql', 'query Q($nss: NSS!) { person(nss: $nss) { credit { outcome } } }');
const statement = file('statement.csv', 'POST /api/x,1\n');
const commands = (): readonly (readonly string[])[] => [
  ['batch', dataset, operation, '--url', server.url],
  ['batch', dataset, operation, '--url', server.url, '--language', 'es'],
  ['spend', '--by', 'client', '--url', server.url],
  ['reconcile', statement, ...interval, '--url', server.url],
];

describe('a command whose server is hostile', () => {
  it('shows control characters of its messages, and executes none', async () => {
    server.state.answer = json({ errors: [{ message: `no\nline ${attack}`, extensions: { code: 'X' } }] });
    for (const args of commands()) {
      const { code, output, text: said } = await builtCommand(args);
      expect([code, output]).toEqual([4, '']);
      expect(said).toContain(`no\\nline ${shown}`);
      expect(said).not.toMatch(executed);
    }
  });

  it('shows control characters of columns, refused rows, problems and file names', async () => {
    const problem = { code: 'X', message: attack };
    const estimate = {
      ...{ estimatedUnits: 1, bounded: true, invalidRows: 0 },
      endpoints: [{ url: attack, calls: 1, subtotal: 1 }],
    };
    const columns = [
      { name: `a\n${attack}`, variable: attack },
      { name: `b${attack}`, variable: null },
    ];
    const refusedRows = [{ line: 2, message: `c\n${attack}` }];
    const details = { columns, refusedRows, refusedCount: 1, estimate, reason: problem };
    server.state.answer = batchAnswer({ ...details, state: 'CANCELED', startProblem: problem });
    const args = ['batch', dataset, operation, '--url', server.url, '--max-units', '1'];
    const canceled = await builtCommand(args);
    expect(canceled.code).toBe(3);
    for (const part of [`a\\n${shown} → ${shown}`, `b${shown}`, `c\\n${shown} (line 2)`, `${shown}: 1 call`])
      expect(canceled.text).toContain(part);
    expect(canceled.text).toContain(`cannot be started: ${shown} (X)`);
    expect(canceled.text).toContain(`The batch is CANCELED: ${shown} (X)`);
    expect(canceled.text).not.toMatch(executed);

    server.state.answer = batchAnswer({ csvUrl: server.url });
    const out = join(folder, 'a\u001b[2J.csv');
    const done = await builtCommand([...args, '--out', out]);
    expect([done.code, done.text]).toEqual([0, expect.stringContaining('results: ')]);
    expect(done.text).toContain('a\\u001b[2J.csv');
    expect(done.text).not.toMatch(executed);
    const missing = await builtCommand(['batch', `${dataset}\u001b[2J`, operation]);
    expect([missing.code, missing.text]).toEqual([2, `Cannot read ${dataset}\\u001b[2J. Check the path.\n`]);
  });

  it('shows control characters of a table, and leaves CSV as it is', async () => {
    const figures = { calls: 1, units: 1, uncertainUnits: 0, savedUnits: 0, refusedCalls: 0 };
    const spend = {
      registrySpend: [{ client: `x\n${attack}`, endpoint: attack, ...figures }],
      registryUnitPrice: null,
    };
    const registryLedger = { entries: [], next: null, limitedToClient: null };
    server.state.answer = data({ ...spend, registryLedger });
    const table = await builtCommand(['spend', '--by', 'client', '--url', server.url]);
    expect([table.code, table.output]).toEqual([0, expect.stringContaining(`x\\n${shown}`)]);
    expect(table.output).not.toMatch(executed);
    const csv = await builtCommand(['spend', '--by', 'client', '--csv', '--url', server.url]);
    expect(csv.output).toContain(attack);
    const reconciled = await builtCommand(['reconcile', statement, ...interval, '--url', server.url]);
    expect([reconciled.code, reconciled.output]).toEqual([1, expect.stringContaining(shown)]);
    expect(reconciled.output).not.toMatch(executed);
  });

  it.each<[string, Answer]>([
    ['HTML', (response) => void response.end('<html>hello</html>')],
    ['nothing', (response) => void response.end()],
    ['null', json(null)],
    ['a list', json([1])],
    ['no data', json({})],
    ['empty data', data({})],
    ['data that is null', data(null)],
    ['errors that are text', json({ errors: 'no' })],
    ['other types', data({ change: { batch: 1, problems: {} }, registrySpend: {}, registryLedger: [] })],
    ['a batch without its parts', data({ change: { batch: { id: 'a', state: 'READY' }, problems: [] } })],
    ['a batch whose links are not addresses', batchAnswer({ state: 'WAITING_FOR_ROWS', uploadUrl: 'not an address' })],
  ])('ends with one clear message if it answers with %s', async (_, answer) => {
    server.state.answer = answer;
    for (const args of commands()) {
      const { code, output, text: said } = await builtCommand(args);
      expect([code, output]).toEqual([4, '']);
      expect(said).toMatch(/^(The address is not a padron graph|La dirección no es un grafo de padron)[^\n]*\n$/);
    }
  });

  it('ends with one clear message if the upload or the download is answered with garbage', async () => {
    server.state.answer = (response, query, request) =>
      request.url === '/upload'
        ? response.end('null')
        : batchAnswer({ state: 'WAITING_FOR_ROWS', uploadUrl: `${server.origin}/upload` })(response, query, request);
    const args = ['batch', dataset, operation, '--url', server.url];
    expect(await builtCommand(args)).toMatchObject({
      code: 4,
      text: 'The address is not a padron graph (HTTP 200). Check --url.\n',
    });
  });

  const calls = [{ id: 'a', uncertainUnits: 1, evidence: { endpoint: 'POST /api/x' } }];
  it.each([
    ['the same cursor', () => 'again', calls],
    ['other cursors', () => String(server.state.requests), []],
    ['other cursors and calls', () => String(server.state.requests), calls],
  ])('does not read pages without end: %s', async (_, next, entries) => {
    server.state.requests = 0;
    server.state.answer = (...exchange) => {
      const registryLedger = { entries, next: next(), limitedToClient: null };
      data({ registrySpend: [], registryUnitPrice: null, registryLedger })(...exchange);
    };
    const ended = await builtCommand(['reconcile', statement, ...interval, '--url', server.url]);
    const text =
      'The list of unknown calls does not end. Check --url, or choose a shorter interval with --from and --to.\n';
    expect(ended).toEqual({ code: 4, output: '', text });
    expect(server.state.requests).toBeLessThanOrEqual(1_001);
  });

  it('rejects an address that is not one', async () => {
    for (const url of ['padron', 'file:///etc/passwd', 'http://'])
      expect(await builtCommand(['spend', '--by', 'day', '--url', url])).toMatchObject({
        code: 2,
        text: expect.stringContaining('--url must be an address'),
      });
  });
});

describe('a command whose server is gone after its first answer', () => {
  it.each([
    ['en', 'RUNNING', [], 'To see it and to download its results, run the same command again. Nothing is paid twice.'],
    ['es', 'RUNNING', [], 'ejecute de nuevo el mismo comando. Nada se paga dos veces.'],
    ['en', 'DONE', ['--retry', 'unknown'], 'run the same command again without --retry. Nothing is paid twice.'],
  ])('gives up after a while, and says how to see the batch: %s, %s', async (language, state, options, words) => {
    const changes: string[] = [];
    let served = 0;
    server.state.answer = (response, query, request) => {
      const [change = ''] = /(?:start|retry|resume)RegistryBatch/.exec(query) ?? [];
      if (change !== '') changes.push(change);
      // It answers until the price is shown, and a retry is lost.
      if (change !== '' || served > 1) return void response.destroy();
      served += 1;
      batchAnswer({ state, progress: { ...progress, done: 0, unknown: 1, spentUnits: 0 } })(response, query, request);
    };
    const args = ['batch', dataset, operation, '--url', server.url, '--max-units', '100', '--wait', '1'];
    const { code, text: said } = await builtCommand([...args, '--language', language, ...options]);
    expect([code, said]).toEqual([4, expect.stringContaining(words)]);
    expect(said).toContain(language === 'es' ? 'Se intenta de nuevo durante 1 s.' : 'Trying again for 1 s.');
    expect(changes).toEqual(state === 'DONE' ? ['retryRegistryBatch'] : []);
  });
});

describe('the results of `padron batch`', () => {
  const previous = 'the results of the last run\n';
  const args = (out: string) => [
    ...['batch', dataset, operation, '--url', server.url],
    ...['--max-units', '1', '--out', out, '--wait', '0'],
  ];
  const answerDownload = (download: (response: ServerResponse) => void): void => {
    server.state.answer = (response, query, request) =>
      request.url?.startsWith('/results') === true
        ? download(response)
        : batchAnswer({ csvUrl: `${server.origin}/results` })(response, query, request);
  };
  const temporaries = (): readonly string[] => fs.readdirSync(folder).filter((name) => name.endsWith('.tmp'));

  it('keep the previous file if the connection breaks', async () => {
    const out = file('kept.csv', previous);
    answerDownload((response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half', () => response.destroy());
    });
    const broken = await builtCommand(args(out));
    expect([broken.code, broken.text]).toEqual([
      4,
      expect.stringContaining(`The download of ${out} was interrupted. An earlier file of that name is unchanged.`),
    ]);
    expect(fs.readFileSync(out, 'utf8')).toBe(previous);
    expect(temporaries()).toEqual([]);

    answerDownload((response) => void response.end('new\n'));
    expect((await builtCommand(args(out))).code).toBe(0);
    expect(fs.readFileSync(out, 'utf8')).toBe('new\n');
    expect(temporaries()).toEqual([]);
  });

  it('keep the permissions and the link of the previous file, and can go to a pipe', async () => {
    const out = file('private.csv', previous);
    fs.chmodSync(out, 0o600);
    const link = join(folder, 'link.csv');
    fs.symlinkSync(out, link);
    answerDownload((response) => void response.end('new\n'));
    expect((await builtCommand(args(link))).code).toBe(0);
    expect([fs.readFileSync(out, 'utf8'), fs.lstatSync(link).isSymbolicLink()]).toEqual(['new\n', true]);
    expect(fs.statSync(out).mode & 0o777).toBe(0o600);
    const pipe = join(folder, 'pipe.csv');
    execFileSync('mkfifo', [pipe]);
    const [run, received] = await Promise.all([builtCommand(args(pipe)), fs.promises.readFile(pipe, 'utf8')]);
    expect([run.code, received, fs.statSync(pipe).isFIFO()]).toEqual([0, 'new\n', true]);
  });

  it('never overwrite the dataset or the operation, whatever the spelling of the path', async () => {
    server.state.requests = 0;
    const links = { dataset: join(folder, 'linked.csv'), operation: join(folder, 'hard.csv') };
    fs.symlinkSync(dataset, links.dataset);
    fs.linkSync(operation, links.operation);
    const outs = [dataset, operation, `${folder}/./x/../people.csv`, relative(root, dataset), ...Object.values(links)];
    for (const out of outs)
      expect(await builtCommand(args(out))).toEqual({
        code: 2,
        output: '',
        text: `The results would overwrite ${out}. Choose another file with --out.\n`,
      });
    expect(server.state.requests).toBe(0);
  });

  it('are reported if they cannot be written', async () => {
    answerDownload((response) => void response.end('new\n'));
    const out = join(folder, 'none/results.csv');
    expect(await builtCommand(args(out))).toMatchObject({
      code: 2,
      text: expect.stringContaining(`Cannot write ${out} (ENOENT). Check the path, or choose another with --out.`),
    });
  });
});
