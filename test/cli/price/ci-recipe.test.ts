import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { installPackages } from '../../support/packages';
import { readPage } from '../../support/pages';

const run = promisify(execFile);
const root = join(__dirname, '../../..');
const page = readPage('docs/ci.md').text;
const blockWith = (text: string, { text: source } = readPage('docs/ci.md')): string =>
  [...source.matchAll(/^```\w+\n([\s\S]*?)^```/gm)].map(([, code = '']) => code).find((code) => code.includes(text)) ??
  '';

interface Workflow {
  readonly jobs: { readonly prices: { readonly steps: readonly { readonly run?: string; readonly if?: string }[] } };
}

/** A frontend's repository with the recipe of docs/ci.md. Its packages are those of this repository. */
class FrontendRepository {
  readonly folder = mkdtempSync(join(tmpdir(), 'padron-frontend-'));

  constructor() {
    installPackages(this.folder);
    this.write('package.json', '{ "name": "frontend", "private": true }');
    this.write('codegen.yml', stringify(codegenSettings(this.folder)));
    this.write('scripts/check-prices.sh', blockWith('prices.md for'));
    this.write('.github/workflows/prices.yml', blockWith('gh pr comment'));
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), text);
  }

  async commit(message: string): Promise<void> {
    const git = (...args: readonly string[]) =>
      run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: this.folder });
    await git('init', '--quiet');
    await git('add', '--all', ':!node_modules');
    await git('commit', '--quiet', '--message', message);
  }

  /** Runs the step of the workflow that checks prices. Returns its exit code and what it printed. */
  async runWorkflow(): Promise<{ readonly code: number; readonly output: string }> {
    const { jobs } = parse(readFileSync(join(this.folder, '.github/workflows/prices.yml'), 'utf8')) as Workflow;
    const step = jobs.prices.steps.find(({ run: command }) => command?.startsWith('sh ') === true)?.run ?? '';
    try {
      const { stdout } = await run('bash', ['-c', step], { cwd: this.folder });
      return { code: 0, output: stdout };
    } catch (error) {
      const { code, stdout, stderr } = Object(error);
      return { code, output: `${stdout}${stderr}` };
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** Returns codegen.yml with the changes of docs/trusted-documents.md. */
function codegenSettings(frontend: string): object {
  const settings = parse(readFileSync(join(frontend, 'node_modules/padron-client/schema/codegen.yml'), 'utf8'));
  const [output] = Object.values(settings.generates) as object[];
  const documented = parse(blockWith('presetConfig', readPage('docs/trusted-documents.md')));
  const [folder = '', changes] = Object.entries(documented.generates)[0] ?? [];
  return { ...settings, generates: { [folder]: { ...output, ...Object(changes) } } };
}

describe('the recipe of docs/ci.md', () => {
  const repository = new FrontendRepository();
  afterAll(() => repository.remove());

  it('passes while no operation costs more than the ceiling', async () => {
    cpSync(join(root, 'schema/examples/person-profile.graphql'), join(repository.folder, 'src/person-profile.graphql'));
    await repository.commit('Show a profile');
    const { code, output } = await repository.runWorkflow();
    expect(output).toContain('| PersonProfile | 6 |');
    expect(output).toContain('1 operation, all within the ceiling of 10 units.');
    expect(code).toBe(0);
  });

  it('rejects a pull request with an operation above the ceiling, and leaves its comment', async () => {
    cpSync(join(root, 'schema/examples/employer-year.graphql'), join(repository.folder, 'src/employer-year.graphql'));
    await repository.commit('Show the receipts of an employer');
    const { code, output } = await repository.runWorkflow();
    expect(code).toBe(1);
    expect(output).toContain('Not within the ceiling of 10 units: EmployerYear.');
    const comment = readFileSync(join(repository.folder, 'prices.md'), 'utf8');
    expect(comment).toContain('| EmployerYear | ≥ 110 |');
    expect(comment).toContain(
      '| ABOVE 10<br>no upper bound: employer.receiptsBetween.records.files, for each entry of a list |',
    );
  });

  it('rejects a document that does not fit the schema', async () => {
    repository.write('src/bad.graphql', 'query Bad { person { shoeSize } }');
    const { code, output } = await repository.runWorkflow();
    expect(code).not.toBe(0);
    expect(output).toContain('One or more errors occurred');
  });

  it('comments the prices also if the check fails', () => {
    const { steps } = (parse(blockWith('gh pr comment')) as Workflow).jobs.prices;
    expect(steps.at(-1)).toMatchObject({ if: 'always()', run: expect.stringContaining('--body-file prices.md') });
  });
});

describe('the other commands of docs/ci.md', () => {
  const [first = '', second = ''] = ['schema/examples --max-units', 'variables.json'].map((text) => blockWith(text));
  const runHere = async (script: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'padron-ci-page-'));
    const here = script
      .replaceAll('npx padron-client', `node ${root}/schema/client/dist/command.js`)
      .replaceAll('schema/examples', `${root}/schema/examples`);
    const { stdout } = await run('bash', ['-c', here], { cwd: folder }).catch(
      (error: { readonly stdout: string }) => error,
    );
    rmSync(folder, { recursive: true });
    return stdout;
  };

  it('print the prices that the page shows', async () => {
    expect(page).toContain(`\`\`\`\n${(await runHere(first)).replaceAll(`${root}/`, '')}\`\`\``);
    // Three months, two receipts each, the obligated subject and the newest snapshot.
    expect(await runHere(second)).toMatch(/^EmployerYear +≥ 11 +11/m);
    expect(page).toContain('| 2 | The arguments are wrong');
  });
});
