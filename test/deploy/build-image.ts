import { execFile, execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type WatchedProcess, watchProcess } from '../support/processes/process';
import { type Instruction, readAllowedPaths, readStages, root } from './dockerfile';

/** The file system of an image, and how a container of it starts. */
export interface Image {
  /** Folder that represents `/`. */
  readonly files: string;
  readonly workingFolder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  readonly user: string;
  remove(): void;
}

/**
 * Runs the steps of deploy/Dockerfile in temporary folders. Only the installation of packages is replaced: the installed packages of
 * this repository are linked, without the development dependencies if the step omits them.
 */
export function buildImage(): Image {
  const folder = mkdtempSync(join(tmpdir(), 'padron-image-'));
  chmodSync(folder, 0o755);
  const context = join(folder, 'context');
  for (const path of readAllowedPaths()) copy(join(root, path), join(context, path));
  const stages = readStages('deploy/Dockerfile');
  for (const { name, instructions } of stages) {
    const files = join(folder, name);
    mkdirSync(files);
    let workingFolder = files;
    for (const { keyword, text } of instructions) {
      if (keyword === 'WORKDIR') {
        workingFolder = join(files, text);
        mkdirSync(workingFolder, { recursive: true });
      }
      if (keyword === 'COPY')
        runCopy(text, files, workingFolder, (stage) => (stage === null ? context : join(folder, stage)));
      if (keyword === 'RUN') runCommand(text, files, workingFolder);
    }
  }
  const instructions = stages.at(-1)?.instructions ?? [];
  const files = join(folder, 'image');
  return {
    files,
    workingFolder: join(files, textOf(instructions, 'WORKDIR')),
    environment: Object.fromEntries(
      instructions.filter(({ keyword }) => keyword === 'ENV').map(({ text }) => splitAt(text, '=')),
    ),
    command: JSON.parse(textOf(instructions, 'CMD')),
    healthCheck: JSON.parse(/CMD (\[.*\])$/.exec(textOf(instructions, 'HEALTHCHECK'))?.[1] ?? ''),
    user: textOf(instructions, 'USER'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const textOf = (instructions: readonly Instruction[], keyword: string): string =>
  instructions.findLast((instruction) => instruction.keyword === keyword)?.text ?? '';

function splitAt(text: string, mark: string): readonly [string, string] {
  const index = text.indexOf(mark);
  return [text.slice(0, index), text.slice(index + 1)];
}

function runCopy(text: string, files: string, workingFolder: string, folderOf: (stage: string | null) => string): void {
  const stage = /^--from=(\S+) /.exec(text)?.[1] ?? null;
  const paths = text.replace(/^--from=\S+ /, '').split(' ');
  const target = paths.at(-1) ?? '';
  for (const source of paths.slice(0, -1)) {
    const path = target.endsWith('/') ? join(target, basename(source)) : target;
    const from = join(folderOf(stage), source);
    copy(from, path.startsWith('/') ? join(files, path) : resolve(workingFolder, path), stage !== null);
  }
}

function runCommand(text: string, files: string, workingFolder: string): void {
  if (text.startsWith('npm ci ')) {
    linkPackages(workingFolder, text.includes(' --omit=dev '));
    return;
  }
  // Only root can give a folder to another user.
  const command = process.getuid?.() === 0 ? text : text.replaceAll(/--(?:owner|group)=\S+ /g, '');
  execFileSync('sh', ['-c', command.replaceAll(' /', ` ${files}/`)], { cwd: workingFolder, stdio: 'pipe' });
}

/** Gives a stage the packages that the lock file lists. */
function linkPackages(workingFolder: string, productionOnly: boolean): void {
  const { name, packages } = JSON.parse(readFileSync(join(workingFolder, 'package-lock.json'), 'utf8')) as {
    name: string;
    packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  const installed = name === 'padron' ? root : join(root, 'test/tracing');
  const wanted = Object.entries(packages).filter(([path, { dev = false }]) => {
    const isTopLevel = path !== '' && !path.includes('/node_modules/');
    return isTopLevel && !(productionOnly && dev) && existsSync(join(installed, path));
  });
  const paths = wanted.map(([path]) => path);
  execFileSync('cp', [...copyOptions(workingFolder), '--parents', ...paths, workingFolder], { cwd: installed });
}

/** Returns the options of `cp` that link files instead of copying them, if both folders are on the same disk. */
function copyOptions(target: string): readonly string[] {
  return statSync(root).dev === statSync(target).dev ? ['--archive', '--link'] : ['--archive'];
}

/** Copies a file or a folder. Files of another stage are linked, because nothing changes them. */
function copy(source: string, target: string, isLinked = false): void {
  if (!existsSync(source)) throw new Error(`${source} is missing. Is its path in .dockerignore?`);
  mkdirSync(dirname(target), { recursive: true });
  if (isLinked) execFileSync('cp', [...copyOptions(dirname(target)), '--no-target-directory', source, target]);
  else cpSync(source, target, { recursive: true });
}

const run = promisify(execFile);

/** A process that is started as a container of the image would be. */
export interface Container extends WatchedProcess {
  readonly url: string;
  /** Whether the health check of the image succeeds. */
  isHealthy(): Promise<boolean>;
}

/** Starts the command of the image as its user, in its working folder, with its environment and these variables. */
export function startContainer(image: Image, variables: Readonly<Record<string, string>>): Container {
  const isPath = (value: string): boolean => value.startsWith('/');
  const own = Object.entries(image.environment).map(([name, value]) => [
    name,
    isPath(value) ? join(image.files, value) : value,
  ]);
  const env: Record<string, string> = { PATH: process.env.PATH ?? '', ...Object.fromEntries(own), ...variables };
  const options = { env, cwd: image.workingFolder, ...identityOf(image.user) };
  const [program = '', ...args] = image.command;
  return {
    ...watchProcess(spawn(program, args, options)),
    url: `http://127.0.0.1:${env.PORT}/graphql`,
    isHealthy: () => {
      const [checker = '', ...words] = image.healthCheck;
      return run(checker, words, options).then(
        () => true,
        () => false,
      );
    },
  };
}

/** Waits until the health check of a container succeeds. Throws its output if it ends before. */
export async function waitUntilHealthy(container: Container): Promise<void> {
  while (!(await container.isHealthy())) {
    if (container.child.exitCode !== null) throw new Error(container.output());
    await sleep(100);
  }
}

/** Only root can start a process of another user. Any other user starts it as itself. */
function identityOf(user: string): { readonly uid?: number; readonly gid?: number } {
  const [uid, gid] = user.split(':').map(Number);
  return process.getuid?.() === 0 && uid !== undefined && gid !== undefined ? { uid, gid } : {};
}
