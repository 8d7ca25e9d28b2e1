/**
 * Reports what changes in the graph for clients and routers, and fails if CHANGELOG.md does not announce a breaking change.
 * It compares schema/padron.graphql in the working directory with the version at `--since <revision>`. Without this option it
 * uses the newest committed version that differs, at or before the point where this branch left main: on a branch this is
 * main's version, and on main the previous one.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { announcer } from './announcements';
import { changesBetween, type SchemaChange } from './schema-changes';

const FILE = 'schema/padron.graphql';
const CHANGELOG = 'CHANGELOG.md';

function git(...args: readonly string[]): string {
  return execFileSync('git', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 32 * 1024 * 1024,
  });
}

function tried(...args: readonly string[]): string | null {
  try {
    return git(...args);
  } catch {
    return null;
  }
}

const versionAt = (revision: string, file: string): string | null => tried('show', `${revision}:./${file}`);

/** The commit whose version is compared with, or null where the history holds no other version. */
function comparedCommit(since: string | undefined, current: string): string | null {
  if (since !== undefined) return git('rev-parse', '--verify', `${since}^{commit}`).trim();
  const left = tried('merge-base', 'HEAD', 'origin/main') ?? tried('merge-base', 'HEAD', 'main') ?? 'HEAD';
  const commits = (tried('log', '--format=%H', left.trim(), '--', FILE) ?? '').split('\n').filter(Boolean);
  return commits.find((commit) => (versionAt(commit, FILE) ?? current) !== current) ?? null;
}

function show(text: string): void {
  process.stdout.write(`${text}\n`);
}

function report(
  commit: string,
  changes: readonly SchemaChange[],
  isAnnounced: (coordinate: string) => boolean,
): number {
  show(`${FILE} against ${git('log', '-1', '--format=%h of %cs (%s)', commit).trim()}`);
  if (changes.length === 0) show('Nothing breaking and nothing dangerous.');
  const unannounced = changes.filter(({ level, coordinate }) => level === 'breaking' && !isAnnounced(coordinate));
  for (const change of changes) {
    const mark = change.level === 'dangerous' ? '' : unannounced.includes(change) ? ' — NOT ANNOUNCED' : ' — announced';
    show(`  ${change.level.padEnd(9)}  ${change.description}${mark}`);
  }
  if (unannounced.length === 0) return 0;
  const lines = [...new Set(unannounced.map(({ coordinate }) => `- \`${coordinate}\`: `))];
  show(`\nTake back what is not announced, or say in ${CHANGELOG} what clients shall do instead:\n`);
  show(['## Unreleased', '', '### Breaking', '', ...lines].join('\n'));
  return 1;
}

function check(since: string | undefined): number {
  git('rev-parse', '--git-dir');
  const current = readFileSync(FILE, 'utf8');
  const commit = comparedCommit(since, current);
  const before = commit === null ? null : versionAt(commit, FILE);
  if (commit === null || before === null) {
    show(`${FILE}: the history holds no other version to compare with (a shallow clone has none).`);
    return 0;
  }
  const changelog = existsSync(CHANGELOG) ? readFileSync(CHANGELOG, 'utf8') : '';
  return report(commit, changesBetween(before, current), announcer(changelog, versionAt(commit, CHANGELOG) ?? ''));
}

const option = process.argv.indexOf('--since');
try {
  process.exitCode = check(option === -1 ? undefined : process.argv[option + 1]);
} catch (error) {
  process.stderr.write(
    `${FILE} cannot be compared: ${error instanceof Error ? error.message.trim() : String(error)}\n`,
  );
  process.exitCode = 2;
}
