import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { people } from '../../src/extensions/sandbox/data/people';
import { uncleanPeople } from '../../src/extensions/sandbox/data/unclean-people';
import { CREDIT, IDENTITY, SEARCH } from '../support/operations/people-endpoints';
import { isTokenCheck } from '../support/padrons/padron';
import { proxiedPadronForTests } from '../support/padrons/padron-for-tests';
import { freePort } from '../support/processes/free-port';
import { type WatchedProcess, watchProcess } from '../support/processes/process';
import { unusedNss } from '../support/sandbox/identifiers';
import { startServer } from '../support/start-server';
import { engineRig } from '../support/stores/engines';
import { callsByEndpoint, ExampleFolder } from './example-folder';

const { lostEnye, otherSpelling, brother } = uncleanPeople;
const command = join(__dirname, '../../dist/cli/main.js');

/** Replaces proofs, which differ in each run, by a text of the same length. */
const varying = (text: string): string => text.replace(/\b(?=\w*[A-Z])(?=\w*[a-z])\w{20}\b/g, 'x'.repeat(20));

describe('examples/python, followed by its README', () => {
  let example: ExampleFolder;
  let padron: WatchedProcess;
  let url: string;
  beforeAll(async () => {
    example = new ExampleFolder('python');
    expect(example.step('start').command).toBe('npm ci && npm start');
    const port = String(await freePort());
    url = `http://127.0.0.1:${port}/graphql`;
    const env = { PATH: process.env.PATH ?? '', PORT: port };
    padron = watchProcess(spawn(process.execPath, [command, 'start'], { cwd: example.path, env }));
    await padron.says('token: ');
  });
  afterAll(async () => {
    await padron.stop();
    example.remove();
  });

  const follow = async (text: string | RegExp): Promise<void> => {
    const { command: shown, output } = example.step(text);
    expect(varying(await example.run(shown, { PADRON_URL: url }))).toBe(varying(output ?? ''));
  };

  /** Returns the calls since the start, by endpoint, as the ledger has them. */
  const calls = () => callsByEndpoint(url);

  it('has a README of at most 100 lines', () => {
    expect(example.readme.trimEnd().split('\n').length).toBeLessThanOrEqual(100);
  });

  it('looks up a person whose Ñ was lost for the price that it prints', async () => {
    await follow(`lookup.py ${lostEnye.person.nss}`);
    expect(await calls()).toEqual({ [CREDIT]: 1, [SEARCH]: 1 });
  });

  it('does not use the record of a brother', async () => {
    await follow(`lookup.py ${otherSpelling.person.nss} ${brother.person.curp}`);
    expect(await calls()).toEqual({ [CREDIT]: 2, [IDENTITY]: 1, [SEARCH]: 2 });
  });

  it('says that the registry has no record', async () => {
    const shown = await example.run(`python3 lookup.py ${unusedNss}`, { PADRON_URL: url });
    expect(shown).toMatch(/^credit: {3}NOT_FOUND\nlicences: NOT_RUN: /m);
  });

  it('prices a file without a call', async () => {
    const before = await calls();
    await follow(/run_batch.py employees.csv$/);
    expect(await calls()).toEqual(before);
  });

  it('runs the file with one call for each person, and reads it into a table', async () => {
    const { [CREDIT]: before = 0 } = await calls();
    await follow('run_batch.py employees.csv 10');
    expect((await calls())[CREDIT]).toBe(before + 4);
  });

  it('reads the same table again without a call', async () => {
    const before = await calls();
    await follow('run_batch.py employees.csv 10');
    expect(await calls()).toEqual(before);
  });

  it('says what is wrong if padron cannot be reached or rejects the token', async () => {
    const failed = (environment: Readonly<Record<string, string>>): Promise<string> =>
      example
        .run('python3 lookup.py 04159600263', environment)
        .catch((error: { readonly stderr: string }) => error.stderr);
    expect(await failed({ PADRON_URL: url, PADRON_TOKEN: 'unknown' })).toMatch(/\(UNAUTHENTICATED\)\n$/);
  });
});

describe('examples/python/job.py', () => {
  const padron = proxiedPadronForTests({}, engineRig());
  const operation = randomUUID();
  let example: ExampleFolder;
  beforeAll(() => {
    example = new ExampleFolder('python');
  });
  afterAll(() => example.remove());

  // The registry has no record of the last person. This is an answer too, and charged.
  const asked = [...people.slice(0, 150).map(({ nss }) => nss), unusedNss];
  /** Every fifth person has a second job, and one number is mistyped. */
  const lines = [...asked.flatMap((nss, index) => (index % 5 === 0 ? [nss, nss] : [nss])), '04159600264'];

  const start = (url: string, id: string): ChildProcessWithoutNullStreams => {
    writeFileSync(
      join(example.path, 'people.csv'),
      ['No. Empleado,Núm. Seguro Social', ...lines.map((nss, index) => `E-${index},${nss}`)].join('\n'),
    );
    const env = { PATH: process.env.PATH ?? '', PADRON_URL: url, OPERATION_ID: id };
    return spawn('python3', ['job.py', 'people.csv', 'results.csv', '500'], { cwd: example.path, env });
  };
  const runToTheEnd = async (url = padron.url, id = operation) => {
    const job = watchProcess(start(url, id));
    return { code: await job.ended(), output: job.output() };
  };
  const sums = async () => {
    const query = `{ registryOperation(id: "${operation}") { spentUnits uncertainUnits leftUnits }
      registrySpend(filter: {}) { calls units uncertainUnits } }`;
    return (await padron.ask(query)).data;
  };

  it('is killed ten times, runs to its end, and pays for each person once', async () => {
    const { proxy } = padron;
    for (let kill = 0; kill < 10; kill += 1) {
      let left = 1 + kill;
      const job = start(padron.url, operation);
      const ended = once(job, 'exit');
      // In turns, the calls are on their way to the service, or answered and charged.
      const count = (): null => {
        left -= 1;
        if (left === 0) job.kill('SIGKILL');
        return null;
      };
      if (kill % 2 === 0) proxy.tamper(count);
      else proxy.standIn(count);
      expect(await ended).toEqual([null, 'SIGKILL']);
      proxy.tamper(null);
      proxy.standIn(null);
    }
    const { code, output } = await runToTheEnd();
    expect(output).toMatch(new RegExp(`^units: ${asked.length} spent, 0 uncertain, \\d+ saved\n$`));
    expect(code).toBe(0);
    const calls = padron.callsInFull().filter((call) => !isTokenCheck(call));
    // The service takes an NSS without its first zeros.
    expect(calls.map(({ input }) => String(input.nss).padStart(11, '0')).sort()).toEqual([...asked].sort());
    expect(padron.spent()).toBe(asked.length);
    const units = { uncertainUnits: 0 };
    expect(await sums()).toEqual({
      registryOperation: { ...units, spentUnits: asked.length, leftUnits: 500 - asked.length },
      registrySpend: [{ ...units, calls: asked.length, units: asked.length }],
    });
    const results = readFileSync(join(example.path, 'results.csv'), 'utf8').trimEnd().split('\r\n');
    expect(results.slice(1).map((line) => line.split(',')[0])).toEqual(lines.map((_, index) => `E-${index}`));
    expect(results.slice(1).filter((line) => !/,(FOUND|NOT_FOUND),/.test(line))).toHaveLength(1);
  });

  it('writes the same results again, free of charge', async () => {
    const before = readFileSync(join(example.path, 'results.csv'), 'utf8');
    padron.calls();
    expect((await runToTheEnd()).code).toBe(0);
    expect(readFileSync(join(example.path, 'results.csv'), 'utf8')).toBe(before);
    expect(padron.calls()).toEqual([]);
    // The sums are written a second later.
    const saved = async () =>
      (await padron.ask(`{ registryOperation(id: "${operation}") { savedUnits } }`)).data.registryOperation.savedUnits;
    while ((await saved()) < asked.length) await new Promise((resolve) => setTimeout(resolve, 100));
  });

  it('stops before it pays if a router drops the header that makes the operation last', async () => {
    const router = await startServer(async (request, response) => {
      const { authorization = '', 'x-operation-id': id } = request.headers;
      const body = Buffer.concat(await request.toArray());
      const headers = { 'content-type': 'application/json', authorization, 'x-operation-id': String(id) };
      const answer = await fetch(padron.url, { method: 'POST', headers, body });
      response.end(await answer.text());
    });
    const { code, output } = await runToTheEnd(router.url, randomUUID());
    await router.close();
    expect([code, output]).toEqual([1, expect.stringMatching(/^The operation does not last: .*x-operation-keep/)]);
    expect(padron.calls()).toEqual([]);
  });
});
