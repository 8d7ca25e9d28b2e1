import { type AskedQuestion, isAnswer } from '../../../registry/answer/answer';
import type { Problem } from '../../../registry/answer/problem';
import type { IdentityField, IdentityRegistry, PersonTexts } from '../../../registry/endpoint/person';
import type { LookupContext } from '../../core/context';
import type { RegistryLookup } from '../../core/lookup/types';
import { comparableCurp, type IdentityFacts, type ReplacedCurps, toFacts } from './facts';

/** An answer about the person, of a field or of a lookup that a field needed. */
export interface CollectedAnswer extends AskedQuestion {
  readonly registry: IdentityRegistry;
  /** Fields that the registry only repeats. */
  readonly echoes: readonly IdentityField[];
  /** Whether the answer belongs to another question. */
  readonly isMismatch: boolean;
  /** Whether a field of the graph shows the answer. */
  readonly isShown: boolean;
  /** Reads the persons of the records. */
  readonly read: () => readonly PersonTexts[];
}

/** The facts about the person in one record. */
export interface Statement {
  readonly registry: IdentityRegistry;
  readonly echoes: readonly IdentityField[];
  readonly isMismatch: boolean;
  readonly facts: IdentityFacts;
}

export interface CollectedFacts {
  readonly registries: ReadonlySet<IdentityRegistry>;
  readonly answers: readonly CollectedAnswer[];
  readonly statements: readonly Statement[];
  /** False if the response was due before a registry had answered. */
  readonly isComplete: boolean;
}

/** The problems that a review of all answers has found in each of them. */
export type ReviewedAnswers = ReadonlyMap<CollectedAnswer, readonly Problem[]>;

/** Collects the answers of one operation about one person, for one object of its answer. */
export class IdentityCollector {
  private readonly lookups: { readonly registry: IdentityRegistry | null; readonly lookup: Promise<RegistryLookup> }[] =
    [];
  private readonly answers: CollectedAnswer[] = [];
  private readonly replacements = new Map<string, string>();
  private readonly asked: AskedQuestion[] = [];
  private provided: PersonTexts | null = null;
  private settled: Promise<CollectedFacts> | null = null;
  private reviewed: Promise<ReviewedAnswers> | null = null;

  /** `link` gets all questions that were asked about the person, once. */
  constructor(
    private readonly link: (context: LookupContext, asked: readonly AskedQuestion[], findings: CollectedFacts) => void,
  ) {}

  /** The CURPs that an answer so far has shown to be replaced. */
  get replaced(): ReplacedCurps {
    return this.replacements;
  }

  providedTexts(read: () => PersonTexts): PersonTexts {
    this.provided ??= read();
    return this.provided;
  }

  /** Adds the lookup of a field. A resolver must call this before its first `await`. */
  track(registry: IdentityRegistry | null, lookup: Promise<RegistryLookup>): void {
    this.lookups.push({ registry, lookup });
  }

  /** Waits for the lookups that fields make in a registry. Returns whether it has answered all of them. */
  async whenAnswered(registry: IdentityRegistry): Promise<boolean> {
    const lookups = this.lookups.filter((each) => each.registry === registry).map(({ lookup }) => lookup);
    const settled = await Promise.allSettled(lookups);
    return settled.every((each) => each.status === 'fulfilled' && isAnswer(each.value));
  }

  /** Adds a question of a field, or of a lookup that it needed. Their entries are linked when all lookups of the operation have settled. */
  addQuestion(context: LookupContext, asked: AskedQuestion): void {
    this.asked.push(asked);
    if (this.asked.length > 1 || context.dataSource.linkPerson === undefined) return;
    this.whenSettled()
      .then((findings) => this.link(context, this.asked, findings))
      .catch(() => undefined);
  }

  addAnswer(answer: CollectedAnswer): void {
    this.answers.push(answer);
    if (answer.registry !== 'POPULATION_REGISTRY') return;
    for (const { curp, replacedCurp } of answer.read()) {
      if (!replacedCurp || replacedCurp === curp) continue;
      const [current, replaced] = [comparableCurp(curp), comparableCurp(replacedCurp)];
      if (current !== null && replaced !== null && current !== replaced) this.replacements.set(replaced, current);
    }
  }

  /**
   * Returns the collected identities when all lookups of the operation have settled. graphql-js calls the resolvers of all fields of
   * an object before it awaits any of them, so one microtask later every selected lookup has been added. No lookup waits for this.
   */
  whenSettled(): Promise<CollectedFacts> {
    this.settled ??= this.settle();
    return this.settled;
  }

  /** Reviews all answers once, when all lookups have settled. */
  whenReviewed(review: (findings: CollectedFacts) => ReviewedAnswers): Promise<ReviewedAnswers> {
    if (this.reviewed !== null) return this.reviewed;
    this.reviewed = this.whenSettled().then(review);
    // No field may wait for it, and a rejection without a handler would end the process.
    this.reviewed.catch(() => undefined);
    return this.reviewed;
  }

  private async settle(): Promise<CollectedFacts> {
    await Promise.resolve();
    const { answers, lookups } = this;
    const settled = await Promise.allSettled(lookups.map(({ lookup }) => lookup));
    const registries = [...lookups, ...answers].flatMap(({ registry }) => registry ?? []);
    const distinct = [...new Map(answers.map((each) => [each.answer.payload, each])).values()];
    return {
      registries: new Set(registries),
      answers,
      statements: distinct.flatMap(({ registry, echoes, isMismatch, read }) =>
        read().map((texts) => ({ registry, echoes, isMismatch, facts: toFacts(texts, this.replaced) })),
      ),
      isComplete: !settled.some((result) => result.status === 'fulfilled' && isStillRunning(result.value)),
    };
  }
}

const isStillRunning = ({ problems }: RegistryLookup): boolean => problems.some(({ code }) => code === 'STILL_RUNNING');
