import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createLogger } from '../../../src/server/telemetry/logger';
import { readConfig, sandboxOf, startPadron } from '../../support/padrons/whole-padron';
import { startForTests } from '../../support/start-for-tests';
import { FrontendFolder } from './frontend-folder';

const run = promisify(execFile);
const example = join(__dirname, '../../../examples/testing');
const files = readdirSync(example).map((name) => ({ name, code: readFileSync(join(example, name), 'utf8') }));
const jestCommand = join(__dirname, '../../../node_modules/jest/bin/jest.js');

/** Result of a test of the page, as `jest --json` reports it. */
interface AssertionResult {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

describe('the tests of examples/testing', () => {
  const padron = startForTests(
    () =>
      startPadron(readConfig({ PORT: '0', REPLAY_SECONDS: '1' }), createLogger('silent', { write: () => undefined })),
    (running) => running.stop(),
  );
  let folder: FrontendFolder;
  beforeAll(async () => {
    folder = new FrontendFolder();
    for (const { name, code } of files) folder.write(name, code);
    await folder.generate();
  });
  afterAll(() => folder.remove());

  it('compile under strict', async () => {
    expect(await folder.compile(['jest', 'node'], '*.ts', '*.tsx')).toBe('');
  });

  it('do not compile if a mock has no __typename', async () => {
    const withoutTypename = files
      .filter(({ name }) => name === 'credit-mocks.ts')
      .map(({ code }) => code.replace("__typename: 'HousingCreditLookup', ", ''));
    folder.write('untyped-mocks.ts', withoutTypename.join());
    expect(await folder.compile([], 'untyped-mocks.ts')).toMatch(/'__typename' is missing|not assignable/);
  });

  it('pass twice, those of the sandbox with the documented calls', async () => {
    for (const _run of ['first', 'second']) {
      const environment = { ...process.env, PADRON_URL: padron.url, NODE_ENV: 'test' };
      const options = ['--json', '--runInBand', '--config', 'jest.config.cjs'];
      const { stdout } = await run(process.execPath, [jestCommand, ...options], {
        cwd: folder.path,
        env: environment,
      }).catch((error: { readonly stdout: string }) => error);
      const { testResults } = JSON.parse(stdout) as {
        readonly testResults: readonly {
          readonly message: string;
          readonly assertionResults: readonly AssertionResult[];
        }[];
      };
      expect(testResults.map(({ message }) => message).join('')).toBe('');
      expect(testResults).toHaveLength(4);
      expect(testResults.flatMap(({ assertionResults }) => assertionResults)).toHaveLength(13);
      await new Promise((resolve) => setTimeout(resolve, 1_100));
    }
    expect(sandboxOf(padron)?.calls.map(({ endpoint }) => endpoint)).toEqual(
      Array(8).fill('POST /api/infonavit/grupo/buscar-credito'),
    );
  });
});
