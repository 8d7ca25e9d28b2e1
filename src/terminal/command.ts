import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Language } from '../identifiers/text';

/** Invalid arguments. The message is followed by one line on the help. */
export class UsageError extends Error {}

/** A file that cannot be read or used. The message says which one, so the help would not add anything. */
export class FileError extends Error {}

export const exitCodes = {
  done: 0,
  rowsFailed: 1,
  differs: 1,
  tooExpensive: 1,
  checkFailed: 1,
  invalidArguments: 2,
  notFinished: 3,
  requestFailed: 4,
} as const;

/** The output of a command. JSON and CSV are data, which a terminal must not change. */
export interface Report {
  readonly text: string;
  readonly isData: boolean;
  readonly code: number;
}

const defaultUrl = 'http://127.0.0.1:4000/graphql';

export type CommandEnvironment = Readonly<Record<string, string | undefined>>;

export interface Command {
  readonly summary: string;
  readonly usage: string;
  /** Runs the command. A report is printed, and a number is the exit code of a command that has printed its output itself. */
  run(args: readonly string[], environment: CommandEnvironment): Promise<Report | number>;
}

/** The commands of a program by name, in the order of its list. */
export type Commands = Readonly<Record<string, Command>>;

export const text = { type: 'string' } as const;
export const flag = { type: 'boolean' } as const;
export const connection = { url: text, token: text, language: text } as const;

/** Returns the options and positional arguments, or throws a `UsageError`. */
export function parseOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  allowPositionals = false,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The arguments cannot be parsed.');
  }
}

export function parseMaxUnits(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('--max-units must be a whole number.');
  return Number(text);
}

export function parseConnection(
  values: Readonly<Partial<Record<keyof typeof connection, string>>>,
  environment: CommandEnvironment,
) {
  const url = values.url ?? environment.PADRON_URL ?? defaultUrl;
  if (!/^https?:/i.test(url) || !URL.canParse(url))
    throw new UsageError(`--url must be an address, such as ${defaultUrl}.`);
  const token = values.token ?? (environment.PADRON_TOKEN || null);
  return { url, token, language: checkLanguage(values.language) };
}

function checkLanguage(text: string | undefined): Language | null {
  if (text === undefined || text === 'en' || text === 'es') return text ?? null;
  throw new UsageError('--language must be `en` or `es`.');
}
