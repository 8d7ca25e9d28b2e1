import { randomBytes } from 'node:crypto';

/** Crockford's digits: in the order of their bytes, and none that is easily taken for another. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const timeDigits = 10;
const processDigits = 8;
const countDigits = 8;

/** Names this process among all that write to a store. */
export const newProcessName = (): string =>
  Array.from(randomBytes(processDigits), (byte) => digits[byte % 32]).join('');

/** The least id of a moment: a range of time is `id >= firstIdOf(from) AND id < firstIdOf(to)`. */
export const firstIdOf = (moment: Date): string => encode(moment.getTime(), timeDigits);

/** Gives entries their ids: the moment, the process, a count. */
export class EntryIds {
  private count = 0;

  constructor(private readonly processName: string) {}

  next(moment: Date): string {
    this.count += 1;
    return firstIdOf(moment) + this.processName + encode(this.count, countDigits);
  }
}

function encode(number: number, length: number): string {
  let text = '';
  for (let rest = number; text.length < length; rest = Math.floor(rest / 32)) text = digits[rest % 32] + text;
  return text;
}
