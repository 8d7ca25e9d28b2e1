import { randomUUID } from 'node:crypto';
import type { Answer } from '../../registry/answer/answer';
import { originOf, type Subject } from '../../registry/endpoint/endpoint';
import type { PayerCalls, SharedQuestion } from './life/call';

/** A question about a person with its answer. */
export interface PersonQuestion {
  readonly question: SharedQuestion;
  readonly answer: Answer<unknown>;
}

/** The entry of a question in this request. */
interface OpenedEntry {
  /** The question as the first asker put it. Another object is the question of another asker. */
  readonly question: unknown;
  readonly subjects: readonly Subject[];
}

/**
 * Links the entries of a request to more identifiers of their people. All links of an entry are to one person: if another person, such as one
 * with the same name, got the same answer, each has an entry.
 */
export class PersonLinks {
  private readonly opened = new Map<string, OpenedEntry>();
  /** Entries that were written for askers who share an answer. */
  private readonly written = new Set<string>();

  /** `ownEntries` has the entries of the request by those that paid for its answers, or null for an answer without an own entry. */
  constructor(
    private readonly payerCalls: Pick<PayerCalls, 'linkPerson'>,
    private readonly ownEntries: ReadonlyMap<string, string | null>,
  ) {}

  /** Records a question. Its entry has the identifiers of the first asker. */
  recordAsked(question: SharedQuestion): void {
    if (this.opened.has(question.key)) return;
    this.opened.set(question.key, { question: question.question, subjects: askedAbout(question) });
  }

  /** Only the identifiers of `together` that no two people share are added to other entries. A name would lead to a namesake's. */
  link(asked: readonly PersonQuestion[], together: readonly Subject[], isOpen: boolean): void {
    const byEntry = new Map<string, PersonQuestion>();
    for (const each of asked) {
      const { ledgerId } = each.answer.evidence;
      if (ledgerId !== null && (!byEntry.has(ledgerId) || this.isFirst(each))) byEntry.set(ledgerId, each);
    }
    const group = isOpen && byEntry.size > 1 ? [{ kind: 'person', value: randomUUID() } as const] : [];
    for (const [ledgerId, each] of byEntry) {
      const { question, answer } = each;
      const subjects = askedAbout(question);
      const isKnown = subjects.some(isIn(together));
      const all = isKnown ? withSubjects(subjects, together.filter(isUnique)) : subjects;
      const own = this.ownEntries.get(ledgerId);
      const first = this.opened.get(question.key);
      const linked = first?.subjects ?? [];
      const isNew = (before: readonly Subject[]): boolean => all.some((subject) => !isIn(before)(subject));
      if (own === null ? isNew(namedIn(question)) : !this.isFirst(each) && !isSamePerson(subjects, linked))
        this.writeEntry(ledgerId, each, [...all, ...group]);
      else if (own !== null && (isNew(linked) || group.length > 0)) {
        this.opened.set(question.key, { question: first?.question, subjects: withSubjects(linked, all) });
        this.payerCalls.linkPerson(question, answer, own ?? ledgerId, [...all, ...group]);
      }
    }
  }

  private isFirst({ question }: PersonQuestion): boolean {
    return this.opened.get(question.key)?.question === question.question;
  }

  private writeEntry(
    ledgerId: string,
    { question, answer }: PersonQuestion,
    texts: Parameters<PayerCalls['linkPerson']>[3],
  ): void {
    const key = JSON.stringify([ledgerId, texts.filter(({ kind }) => kind !== 'person')]);
    if (this.written.has(key)) return;
    this.written.add(key);
    this.payerCalls.linkPerson(question, answer, null, texts);
  }
}

/** Whether two askers are one person as far as is known: they have the same NSS or CURP, or both have none. */
function isSamePerson(subjects: readonly Subject[], linked: readonly Subject[]): boolean {
  const unique = subjects.filter(isUnique);
  return unique.length > 0 ? unique.every(isIn(linked)) : !linked.some(isUnique);
}

const namedIn = ({ endpoint, question }: SharedQuestion): readonly Subject[] => endpoint.subjects?.(question) ?? [];

const askedAbout = (question: SharedQuestion): readonly Subject[] =>
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
