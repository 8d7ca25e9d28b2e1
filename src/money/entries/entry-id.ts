import { randomBytes } from 'node:crypto';

/** Digits of Crockford's base 32. They sort in the order of their values, and exclude letters that look like digits. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const timeDigits = 10;
const processDigits = 8;
const countDigits = 8;

/** Returns a random name for this process. It distinguishes the process from all others that write to the same store. */
export const newProcessName = (): string =>
  Array.from(randomBytes(processDigits), (byte) => digits[byte % 32]).join('');

/** Returns the lower bound of the IDs of a moment. The IDs of an interval are `id >= firstIdOf(from) AND id < firstIdOf(to)`. */
export const firstIdOf = (moment: Date): string => encode(moment.getTime(), timeDigits);

/** Generates IDs of entries. An ID consists of the time, the name of the process and a counter. */
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
