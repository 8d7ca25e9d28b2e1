import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type WatchedProcess, watchProcess } from '../support/processes/process';
import type { Image } from './build-image';

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
