import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const checker = join(root, 'scripts/check-schema.ts');
const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');

/** A git repository with nothing but a graph and a changelog, for the check that compares its versions. */
export interface SchemaRepository {
  write(schema: string, changelog?: string): SchemaRepository;
  commit(message: string): SchemaRepository;
  branch(name: string): SchemaRepository;
  /** Runs `npm run check:schema` there. */
  check(...options: readonly string[]): Promise<{ readonly code: number; readonly said: string }>;
  remove(): void;
}

// No hook and no setting of this machine takes part.
const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_SYSTEM: devNull,
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

export function schemaRepository(): SchemaRepository {
  const folder = mkdtempSync(join(tmpdir(), 'padron-schema-'));
  const git = (...args: readonly string[]) => {
    execFileSync('git', args, { cwd: folder, env: environment, stdio: 'pipe' });
    return repository;
  };
  const repository: SchemaRepository = {
    write: (schema, changelog = '# Changelog\n\n## Unreleased\n') => {
      mkdirSync(join(folder, 'schema'), { recursive: true });
      writeFileSync(join(folder, 'schema/padron.graphql'), schema);
      writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
      return repository;
    },
    commit: (message) => {
      git('add', '.');
      return git('commit', '--quiet', '--message', message);
    },
    branch: (name) => git('checkout', '--quiet', '-b', name),
    check: (...options) =>
      new Promise((resolve) => {
        const child = execFile(
          process.execPath,
          [tsx, checker, ...options],
          { cwd: folder, env: environment },
          (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, said: stdout + stderr }),
        );
      }),
    remove: () => rmSync(folder, { recursive: true }),
  };
  return git('init', '--quiet', '--initial-branch', 'main');
}
