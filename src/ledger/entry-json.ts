import type { Answer } from '../registry/answer/answer';

/** A call before it is sent, as the journal and the store take it. Its names are those of the columns that the SQL functions read. */
export interface OpenedEntry {
  readonly id: string;
  /** Milliseconds, as `checked` below. */
  readonly at: number;
  readonly account: string;
  readonly client: string | null;
  readonly tag: string | null;
  readonly operation: string | null;
  readonly request: string | null;
  readonly batch: string | null;
  readonly endpoint: string;
  readonly price: number;
  /** Kind, hash and key version of each identifier. */
  readonly subjects: readonly (readonly [kind: string, hash: string, keyVersion: string])[];
}

/** A call with its outcome. RELEASED: it was opened in the store and never sent, so its row is removed. */
export interface ClosedEntry extends OpenedEntry {
  readonly outcome: string;
  readonly status: number | null;
  readonly problem: string | null;
  readonly units: number;
  readonly billing: string;
  readonly served: string;
  readonly code: string | null;
  readonly checked: number | null;
  /** Whether the store has its opening row. */
  readonly opened?: boolean;
}

const maxCodeLength = 200;
const noAnswer = { status: null, problem: null, units: 0, code: null, checked: null } as const;

/** `served`: a shared answer is recorded as REPLAY, also in sandbox mode, where its reader sees SANDBOX. */
export function closedEntry(
  opened: OpenedEntry,
  { outcome, evidence, problems }: Answer<unknown>,
  served = evidence.servedFrom,
): ClosedEntry {
  const { status, units, billing, validationCode, checkedAt } = evidence;
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
  };
}

/** A call whose process ended before the answer arrived: it may have been charged. */
export function unansweredEntry(opened: OpenedEntry): ClosedEntry {
  const billing = opened.price > 0 ? 'UNKNOWN' : 'NOT_CHARGED';
  return { ...opened, ...noAnswer, outcome: 'UNAVAILABLE', billing, served: 'LIVE' };
}

/** A call that the store has opened, and that was not sent after all. */
export function releasedEntry(opened: OpenedEntry): ClosedEntry {
  return { ...opened, ...noAnswer, outcome: 'RELEASED', billing: 'NOT_CHARGED', served: 'NOT_SENT', opened: true };
}

/** The same if it is not known whether the store has opened it: this row then stays, so that no later one can take its place. */
export function withdrawnEntry(opened: OpenedEntry): ClosedEntry {
  return { ...releasedEntry(opened), outcome: 'NOT_RUN', subjects: [] };
}

/** Returns the service's own text without the characters that databases refuse. */
function storableCode(code: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be removed.
  return code.slice(0, maxCodeLength).replace(/[\u0000-\u001f\ud800-\udfff]/g, '');
}
