import { hasWordsOf, type NameParts, wholeName } from '../../../identifiers/names';
import { type FieldPath, toKeys } from '../../../money/calls/units/field-path';
import type { UnitCall, UnitObserver } from '../../../money/calls/units/unit-meter';
import type { Answer, Evidence, Outcome } from '../../../registry/answer/answer';
import { type Problem, problem } from '../../../registry/answer/problem';
import type { AnyEndpoint } from '../../../registry/endpoint/endpoint';
import type { PersonEndpoint, PersonTexts } from '../../../registry/endpoint/person';
import { type BatchHeader, fullNameColumn, type RowInput, type RowLookup } from '../batch';
import { batchCodes } from '../codes';
import type { Interruption, LastingFailure, RowServices } from './dependencies';
import { isAccountProblem, maySucceedLater, releasesClaim } from './temporary-failure';

/** Maximum seconds that a row waits. A longer `retryAfter` pauses the batch: the quota of a day or a month is used up. */
const maxRetryAfter = 600;
const maxProblems = 50;

const maxNameLength = 300;

/** Returns the whole names of a row, which have two words of letters at least. */
export function fullNamesOf({ columns, inputColumns }: BatchHeader, { cells }: RowInput): readonly string[] {
  const whole = columns.filter(({ variable }) => variable === fullNameColumn);
  const values = whole.map(({ name }) => cells[inputColumns.indexOf(name)] ?? '');
  return values.filter((value) => value.length <= maxNameLength && (value.match(/\p{L}{2,}/gu) ?? []).length > 1);
}

const toNameParts = ({ names = null, paternalSurname = null, maternalSurname = null }: PersonTexts): NameParts => ({
  names,
  paternalSurname,
  maternalSurname,
});

/** Problems that a person has to check: the records may be about another person, or records of this person may be left out. */
const doubts: ReadonlySet<string> = new Set(['IDENTITY_CONFLICT', 'ANSWER_MISMATCH', 'POSSIBLE_RECORDS']);

const isShared = ({ servedFrom }: Evidence): boolean => servedFrom === 'REPLAY' || servedFrom === 'KEPT';

/** What a row's request asked, got and spent: its result, and whether it runs again. */
export class RowRecord implements UnitObserver {
  readonly lookups: RowLookup[] = [];
  readonly problems = new Map<string, Problem>();
  readonly subjects = new Set<string>();
  interruption: Interruption | null = null;
  lastingFailure: LastingFailure | null = null;
  hasUnknown = false;
  /** Whether a call of this try may have been charged without a usable answer. Calls that a killed process has lost do not count. */
  hasUncertainCall = false;
  hasFailed = false;
  /** Why the service refused a call of this try and charged it. It would refuse and charge those of the next rows, too. */
  paidRefusal: Problem | null = null;
  /** Whether a registry has answered a call of this row. */
  isAnswered = false;
  maySucceed = false;
  /** Whether an answer may be about another person or employer. */
  isDoubtful = false;

  /** If `isLastTry`, the row accepts a temporary failure as its answer. */
  constructor(
    private readonly services: RowServices,
    private readonly isLastTry: boolean,
    /** Whether the row itself may pay for a call. Otherwise its own limit has refused it, and not that of the batch. */
    private readonly canAfford: (endpoint: AnyEndpoint) => boolean,
    /** Whole names of the row that no variable takes. */
    private readonly fullNames: readonly string[],
  ) {}

  recordQuestion(endpoint: AnyEndpoint, question: unknown): void {
    for (const subject of endpoint.subjects?.(question) ?? []) this.subjects.add(this.services.hashOf(subject));
  }

  recordCall({ endpoint, outcome, units }: UnitCall, uncertain: number): void {
    this.hasUncertainCall ||= uncertain > 0;
    if (units > 0 && outcome === 'NOT_PERMITTED') this.paidRefusal = problem('MISSING_PERMISSION');
    if (units > 0 && outcome === 'UNAVAILABLE') this.paidRefusal = problem('RATE_LIMITED');
    if (outcome === 'UNAUTHENTICATED') this.interrupt({ kind: 'pause', problem: problem('TOKEN_REFUSED') });
    else this.services.observer.recordUnits(endpoint, units, uncertain);
  }

  recordAnswer(shown: Answer<unknown>, paid: Answer<unknown>, isUncertain: boolean, path: FieldPath | null): void {
    const { outcome, evidence, problems } = shown;
    if (isUncertain) this.hasUnknown = true;
    else if (releasesClaim(paid)) this.interrupt(this.findInterruption(paid));
    else if (outcome !== 'UNAVAILABLE' && !isShared(evidence)) this.countAnswer(evidence.endpoint);
    if (outcome !== 'FOUND' && outcome !== 'NOT_FOUND')
      this.recordRejection(outcome, problems, paid.evidence.units > 0);
    else this.noteProblems([...problems, ...this.compareName(shown, path)]);
    this.lookups.push({
      field: toKeys(path).join('.'),
      outcome,
      problems: problems.map(({ code }) => code),
      evidence: { ...evidence, checkedAt: evidence.checkedAt?.toISOString() ?? null },
    });
  }

  /** Compares a whole name of the row, word by word, with those of the records. Its values are in fields, because messages may be logged. */
  private compareName({ payload, evidence }: Answer<unknown>, path: FieldPath | null): readonly Problem[] {
    const endpoint: AnyEndpoint & Partial<PersonEndpoint<unknown, unknown>> = this.services.endpointOf(
      evidence.endpoint,
    );
    const { person = 'NAMES_NO_PERSON' } = endpoint;
    if (payload === null || person === 'NAMES_NO_PERSON') return [];
    const recorded = person
      .toTexts(payload)
      .map(toNameParts)
      .filter(({ paternalSurname }) => paternalSurname !== null);
    const [first] = recorded;
    const written = this.fullNames.find((name) => !recorded.some((parts) => hasWordsOf(name, parts)));
    if (first === undefined || written === undefined) return [];
    return [
      problem(batchCodes.FULL_NAME_DIFFERS, {
        path: toKeys(path).map(String),
        given: written,
        recorded: wholeName(first),
      }),
    ];
  }

  /** Records that a lookup failed. A failure that was charged is not repeated. */
  recordRejection(outcome: Outcome, problems: readonly Problem[], isCharged = false): void {
    this.hasFailed = true;
    this.maySucceed ||= !isCharged && maySucceedLater(outcome, problems);
    this.noteProblems(problems);
  }

  recordLost(endpoint: string, units: number): void {
    this.services.observer.recordUnits(endpoint, 0, units);
  }

  noteProblems(problems: readonly Problem[]): void {
    for (const entry of problems) {
      this.isDoubtful ||= doubts.has(entry.code);
      if (this.problems.size >= maxProblems) return;
      this.problems.set([entry.code, ...(entry.path ?? [])].join(' '), entry);
    }
  }

  recordProblem(): void {}

  recordReplay(): void {}

  recordSaving(): void {}

  private countAnswer(address: string): void {
    this.isAnswered = true;
    const { answerCounts, endpointOf } = this.services;
    const { registry } = endpointOf(address);
    answerCounts.set(registry, (answerCounts.get(registry) ?? 0) + 1);
  }

  private findInterruption({ problems, evidence }: Answer<unknown>): Interruption | null {
    const account = problems.find(({ code }) => isAccountProblem(code));
    if (account !== undefined && !this.isLastTry) return { kind: 'pause', problem: account };
    const endpoint = this.services.endpointOf(evidence.endpoint);
    const limit = problems.find(({ code }) => code === 'UNIT_BUDGET_EXCEEDED');
    if (limit !== undefined && this.canAfford(endpoint)) return { kind: 'pause', problem: limit };
    const temporary = problems.find(({ retryable }) => retryable);
    if (temporary === undefined) return null;
    const { code, retryAfter } = temporary;
    // The batch does not run any more, or this process is stopping. The question was not sent.
    if (code === 'CALLER_GONE') return { kind: 'stopped' };
    if (this.isLastTry) this.lastingFailure = { problem: temporary, registry: endpoint.registry };
    else if (retryAfter !== null && retryAfter > maxRetryAfter) return { kind: 'pause', problem: temporary };
    return this.isLastTry ? null : { kind: 'delay', code, retryAfter };
  }

  /** Keeps the weightiest interruption. A pause outweighs a delay, and both outweigh a stop, which may only follow from them. */
  private interrupt(interruption: Interruption | null): void {
    if (interruption === null) return;
    const weight = { stopped: 0, delay: 1, pause: 2 } as const;
    if (this.interruption === null || weight[interruption.kind] > weight[this.interruption.kind])
      this.interruption = interruption;
  }
}
