import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readConfig } from '../../../src/config/config';
import { startPadron } from '../../../src/server/start';
import { createLogger } from '../../../src/server/telemetry/logger';
import { startForTests } from '../../support/start-for-tests';
import { blocksOfPage, FrontendFolder } from './frontend-folder';

const run = promisify(execFile);
const jestCommand = join(__dirname, '../../../node_modules/jest/bin/jest.js');

/** The settings with which a frontend that uses swc runs Jest. */
const settings = {
  testEnvironment: 'node',
  transform: {
    '\\.tsx?$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript', tsx: true }, transform: { react: { runtime: 'automatic' } } } },
    ],
  },
};

/** Result of a test of the page, as `jest --json` reports it. */
interface AssertionResult {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

describe('the tests of docs/testing.md', () => {
  const padron = startForTests(
    () => startPadron(readConfig({ PORT: '0' }), createLogger('silent', { write: () => undefined })),
    (running) => running.stop(),
  );
  const blocks = blocksOfPage('docs/testing.md', 'ts', 'tsx');
  let folder: FrontendFolder;
  beforeAll(async () => {
    folder = new FrontendFolder();
    for (const { code } of blocks) folder.write(fileNameOf(code), code);
    const [operation] = blocksOfPage('docs/testing.md', 'graphql');
    folder.write('credit.graphql', operation?.code ?? '');
    await folder.generate();
  });
  afterAll(() => folder.remove());

  it('compile under strict', async () => {
    expect(await folder.compile(['jest', 'node'], '*.ts', '*.tsx')).toBe('');
  });

  it('do not compile if a mock has no __typename', async () => {
    const withoutTypename = blocks
      .filter(({ code }) => fileNameOf(code) === 'credit-mocks.ts')
      .map(({ code }) => code.replace("__typename: 'HousingCreditLookup', ", ''));
    folder.write('untyped-mocks.ts', withoutTypename.join());
    expect(await folder.compile([], 'untyped-mocks.ts')).toMatch(/'__typename' is missing|not assignable/);
  });

  it('pass, those of the sandbox with the documented calls', async () => {
    folder.write('jest.config.json', JSON.stringify(settings));
    const environment = { ...process.env, PADRON_URL: padron.url, NODE_ENV: 'test' };
    const { stdout } = await run(
      process.execPath,
      [jestCommand, '--json', '--runInBand', '--config', 'jest.config.json'],
      {
        cwd: folder.path,
        env: environment,
      },
    ).catch((error: { readonly stdout: string }) => error);
    const { testResults } = JSON.parse(stdout) as {
      readonly testResults: readonly {
        readonly message: string;
        readonly assertionResults: readonly AssertionResult[];
      }[];
    };
    expect(testResults.map(({ message }) => message).join('')).toBe('');
    expect(testResults).toHaveLength(4);
    expect(testResults.flatMap(({ assertionResults }) => assertionResults)).toHaveLength(13);
    expect(padron.sandbox?.calls.map(({ endpoint }) => endpoint)).toEqual(
      Array(4).fill('POST /api/infonavit/grupo/buscar-credito'),
    );
  });
});

/** Returns the name in the first line of a block. */
function fileNameOf(code: string): string {
  const [, name] = /^\/\/ (\S+\.tsx?)\n/.exec(code) ?? [];
  if (name === undefined) throw new Error(`A block names no file: ${code.slice(0, 40)}`);
  return name;
}
