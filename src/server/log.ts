import pino, { type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../config';

/** Lines of JSON on standard output. What may be logged is chosen field by field where it happens; nothing is logged whole. */
export function makeLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime } as const;
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Where an error came from, without its message: a message may quote what the client sent. */
export function traceOf(error: unknown): { readonly type: string; readonly at: readonly string[] } {
  if (!(error instanceof Error)) return { type: typeof error, at: [] };
  const { stack = '', message } = error;
  // A message of several lines may hold one that looks like a frame.
  const frames = stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  return { type: error.name, at: frames.slice(0, 8).map((line) => line.trim()) };
}
