import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { SANDBOX_TOKEN } from '../../src/sandbox/accounts/accounts';
import { CREDIT, IDENTITY, SEARCH } from '../support/operations/people-endpoints';
import { post } from '../support/padrons/padron';
import { freePort } from '../support/processes/free-port';
import { type WatchedProcess, watchProcess } from '../support/processes/process';
import { ExampleFolder } from './example-folder';

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
  const calls = async (): Promise<Readonly<Record<string, number>>> => {
    const query = '{ registrySpend(filter: {}, by: [ENDPOINT]) { endpoint calls } }';
    const { data } = await post(url, { query }, { authorization: `Bearer ${SANDBOX_TOKEN}` });
    const rows: readonly { readonly endpoint: string; readonly calls: number }[] = data.registrySpend;
    return Object.fromEntries(rows.map((row) => [row.endpoint, row.calls]));
  };

  it('has a README of at most 80 lines', () => {
    expect(example.readme.trimEnd().split('\n').length).toBeLessThanOrEqual(80);
  });

  it('looks up a person for the price that it prints', async () => {
    await follow('lookup.py 04159600263');
    expect(await calls()).toEqual({ [CREDIT]: 1, [SEARCH]: 1 });
  });

  it('does not use the record of another person', async () => {
    await follow('lookup.py 54230400712');
    expect(await calls()).toEqual({ [CREDIT]: 2, [IDENTITY]: 1, [SEARCH]: 2 });
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
