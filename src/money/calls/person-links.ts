import { randomUUID } from 'node:crypto';
import type { Answer } from '../../registry/answer/answer';
import { originOf, type Subject } from '../../registry/endpoint/endpoint';
import type { OutgoingQuestion, PayerCalls, PendingQuestion } from './call';

export interface PersonQuestion {
  readonly question: PendingQuestion;
  readonly answer: Answer<unknown>;
}

/**
 * Links the entries of a request to more identifiers of their people. All links of an entry are to one person: if another person, such as one
 * with the same name, got the same answer, each has an entry.
 */
export class PersonLinks {
  /** Identifiers that the entry of each question is linked to, by the question's key. */
  private readonly linked = new Map<string, readonly Subject[]>();

  /** `ownEntries` has the entries of the request by those that paid for its answers, or null for an answer without an own entry. */
  constructor(
    private readonly payerCalls: Pick<PayerCalls, 'linkPerson'>,
    private readonly ownEntries: ReadonlyMap<string, string | null>,
  ) {}

  /** Records a question. Its entry has the identifiers of the first asker. */
  recordAsked(question: PendingQuestion): void {
    if (!this.linked.has(question.key)) this.linked.set(question.key, askedAbout(question));
  }

  link(asked: readonly PersonQuestion[], together: readonly Subject[], isOpen: boolean): void {
    const byEntry = new Map(asked.map(({ question, answer }) => [answer.evidence.ledgerId, { question, answer }]));
    const isGroup = isOpen && byEntry.size > 1;
    const group = isGroup ? [{ kind: 'person', value: randomUUID() } as const] : [];
    for (const [ledgerId, { question, answer }] of byEntry) {
      if (ledgerId === null) continue;
      const subjects = askedAbout(question);
      const all = subjects.some(isIn(together)) ? withSubjects(subjects, together) : subjects;
      const own = this.ownEntries.get(ledgerId);
      const linked = this.linked.get(question.key) ?? [];
      const isOthers = own === null || !linked.filter(isUnique).every(isIn(all));
      const added = all.some((subject) => !isIn(isOthers ? namedIn(question) : linked)(subject));
      if (isOthers && added) this.payerCalls.linkPerson(question, answer, null, all);
      if (isOthers || (!added && !isGroup)) continue;
      this.linked.set(question.key, withSubjects(linked, all));
      this.payerCalls.linkPerson(question, answer, own ?? ledgerId, [...all, ...group]);
    }
  }
}

const namedIn = ({ endpoint, question }: OutgoingQuestion): readonly Subject[] => endpoint.subjects?.(question) ?? [];

const askedAbout = (question: OutgoingQuestion): readonly Subject[] =>
  withSubjects(namedIn(question), originOf(question.question));

const withSubjects = (subjects: readonly Subject[], added: readonly Subject[]): readonly Subject[] => [
  ...subjects,
  ...added.filter((subject) => !isIn(subjects)(subject)),
];

const isIn =
  (subjects: readonly Subject[]) =>
  ({ kind, value }: Subject): boolean =>
    subjects.some((subject) => subject.kind === kind && subject.value === value);

/** Whether an identifier is that of one person only. Others may have the same name. */
const isUnique = ({ kind }: Subject): boolean => kind !== 'name';
