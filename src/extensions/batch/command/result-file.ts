import { randomUUID } from 'node:crypto';
import { createWriteStream, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Writes a file under a temporary name in its folder, and renames it when it is complete. If that fails, or if the process exits, the
 * previous file is unchanged.
 */
export async function replaceFile(path: string, content: Readable): Promise<void> {
  // Nothing is awaited before the pipeline listens to the errors of `content`.
  const previous = statSync(path, { throwIfNoEntry: false });
  // Devices and pipes such as /dev/stdout cannot be replaced.
  if (previous !== undefined && !previous.isFile()) return pipeline(content, createWriteStream(path));
  // A link stays a link.
  const target = previous === undefined ? path : realpathSync(path);
  const temporary = `${target}.${randomUUID()}.tmp`;
  const remove = (): void => rmSync(temporary, { force: true });
  process.once('exit', remove);
  // The results have personal data, so other users get no more access than they had.
  const file = createWriteStream(temporary, { flags: 'wx', mode: previous?.mode ?? 0o666 });
  try {
    await pipeline(content, file);
    renameSync(temporary, target);
  } finally {
    // A stream that is destroyed while it opens its file still creates the file.
    if (!file.closed) await new Promise<void>((resolve) => file.once('close', () => resolve()));
    remove();
    process.off('exit', remove);
  }
}

/** Whether two paths lead to the same file, also through links or another spelling. */
export function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}
