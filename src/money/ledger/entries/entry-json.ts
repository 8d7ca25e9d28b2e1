import { randomBytes } from 'node:crypto';
import type { Answer, Outcome } from '../../../registry/answer/answer';
import type { CallLabels } from '../../../registry/caller';
import type { EntryLink } from './subject-index';

/** Digits of Crockford's base 32. They sort in the order of their values, and exclude letters that look like digits. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const timeDigits = 10;
const processDigits = 8;
const countDigits = 8;

/** Returns a random name for this process. It distinguishes the process from all others that write to the same store. */
export const newProcessName = (): string =>
  Array.from(randomBytes(processDigits), (byte) => digits[byte % 32]).join('');

/** Returns the lower bound of the IDs of a moment: `id >= firstIdOf(from) AND id < firstIdOf(to)`. An ID cannot encode a time before 1970. */
export const firstIdOf = (moment: Date): string => encode(Math.max(0, moment.getTime()), timeDigits);

/** Returns the time with which an ID begins. */
export const timeOf = (id: string): Date =>
  new Date([...id.slice(0, timeDigits)].reduce((time, digit) => time * 32 + digits.indexOf(digit), 0));

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

/**
 * Why a question was answered without a call: another field of its request has asked it (REQUEST), its answer was shared or replayed, kept for
 * `x-max-age`, or kept by a job, which is a batch or an operation that lasts.
 */
export type SavingKind = 'REQUEST' | 'REPLAY' | 'KEPT' | 'JOB';

/** Price of the questions of an endpoint that were answered without a call, because another question had paid for the answer. */
export interface Saving {
  readonly kind: SavingKind;
  readonly endpoint: string;
  readonly outcome: Outcome;
  readonly units: number;
}

export interface OpenedEntry extends CallLabels {
  readonly id: string;
  readonly at: number;
  /** Time in milliseconds at which the request, or the run of the batch, began. */
  readonly began: number;
  readonly account: string;
  readonly operation: string | null;
  readonly request: string | null;
  readonly batch: string | null;
  readonly lasting: string | null;
  readonly endpoint: string;
  readonly price: number;
  readonly subjects: readonly EntryLink[];
  /** Links that this entry does not get. If their person was erased, it gets none. */
  readonly unlinked?: readonly EntryLink[];
}

/**
 * A call with its outcome. RELEASED means that the call was opened in the store and never sent, so its row is deleted. LINKED adds links to
 * an entry that has its own line.
 */
export interface ClosedEntry extends OpenedEntry {
  readonly outcome: string;
  readonly status: number | null;
  readonly problem: string | null;
  readonly units: number;
  readonly billing: string;
  readonly served: string;
  readonly code: string | null;
  readonly checked: number | null;
  /** Whether the links of LINKED are of the entry's own person. If the person was erased meanwhile, the entry loses all its links. */
  readonly own?: boolean;
  /** Why the price was saved. Null for a call, and for a shared answer that saved nothing. */
  readonly saving: SavingKind | null;
}

const maxCodeLength = 200;
const noAnswer = { status: null, problem: null, units: 0, code: null, checked: null, saving: null } as const;

export function closedEntry(opened: OpenedEntry, { outcome, evidence, problems }: Answer<unknown>): ClosedEntry {
  const { status, units, billing, validationCode, checkedAt, servedFrom: served } = evidence;
  return {
    ...opened,
    outcome,
    status,
    problem: problems[0]?.code ?? null,
    units,
    billing,
    served,
    code: validationCode === null ? null : storableCode(validationCode),
    checked: checkedAt?.getTime() ?? null,
    saving: null,
  };
}

/** Returns the entry of an answer that was paid for before. One of sandbox mode is a REPLAY, too, although its evidence says SANDBOX. */
export function sharedEntry(opened: OpenedEntry, answer: Answer<unknown>, saving: SavingKind | null): ClosedEntry {
  const served = answer.evidence.servedFrom === 'KEPT' ? 'KEPT' : 'REPLAY';
  return { ...closedEntry(opened, answer), served, saving };
}

/** Returns the entry that sums up what repeated questions saved. Its price is the units saved. */
export function savingEntry(opened: OpenedEntry, { kind: saving, outcome }: Saving): ClosedEntry {
  const served = saving === 'KEPT' || saving === 'JOB' ? 'KEPT' : 'REPLAY';
  return { ...opened, ...noAnswer, outcome, billing: 'NOT_CHARGED', served, saving };
}

/** Returns the entry of a call whose process ended before the answer arrived. The call may have been charged. */
export function unansweredEntry(opened: OpenedEntry): ClosedEntry {
  const billing = opened.price > 0 ? 'UNKNOWN' : 'NOT_CHARGED';
  return { ...opened, ...noAnswer, outcome: 'UNAVAILABLE', billing, served: 'LIVE' };
}

/** Returns the links of an entry to what another question asked that got its answer, or to what found a problem in it. */
export function linkedEntry(opened: OpenedEntry, problem: string | null = null): ClosedEntry {
  return { ...releasedEntry(opened), outcome: 'LINKED', problem };
}

export function releasedEntry(opened: OpenedEntry): ClosedEntry {
  return { ...opened, ...noAnswer, outcome: 'RELEASED', billing: 'NOT_CHARGED', served: 'NOT_SENT' };
}

/** Returns a validation code without the characters that databases reject, because the service may send any text. */
function storableCode(code: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be removed.
  return code.slice(0, maxCodeLength).replace(/[\u0000-\u001f\ud800-\udfff]/g, '');
}
