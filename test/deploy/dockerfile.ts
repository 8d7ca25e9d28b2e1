import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A stage of a Dockerfile, with its instructions in order. */
export interface Stage {
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

/** An instruction with its arguments: a list if it is written as JSON, otherwise the words of the line. */
export interface Instruction {
  readonly keyword: string;
  readonly text: string;
}

export const root = join(__dirname, '../..');

/** Reads the stages of a Dockerfile. */
export function readStages(file: string): readonly Stage[] {
  const lines = readFileSync(join(root, file), 'utf8')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const stages: { name: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, keyword = '', text = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    const name = /\sAS\s+(\S+)$/.exec(text)?.[1] ?? 'image';
    if (keyword === 'FROM') stages.push({ name, instructions: [] });
    else stages.at(-1)?.instructions.push({ keyword, text });
  }
  return stages;
}

/** Returns the paths of `.dockerignore`, which lists what may be copied into an image, and nothing else. */
export function readAllowedPaths(): readonly string[] {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const [first, ...allowed] = lines;
  expect(first).toBe('*');
  expect(allowed.filter((line) => !line.startsWith('!'))).toEqual([]);
  return allowed.map((line) => line.slice(1));
}
