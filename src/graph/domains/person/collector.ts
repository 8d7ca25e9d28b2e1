import type { AskedQuestion } from '../../../registry/answer/answer';
import type { IdentityField, PersonTexts } from '../../../registry/endpoint/person';
import type { LookupContext } from '../../core/context';
import type { RegistryLookup } from '../../core/lookup/types';
import { comparableCurp, type IdentityFacts, type ReplacedCurps, toFacts } from './facts';

export type IdentityRegistry = 'HOUSING_FUND' | 'POPULATION_REGISTRY' | 'EDUCATION_MINISTRY';

/** The facts about the person in one record. */
export interface Statement {
  readonly registry: IdentityRegistry;
  /** Fields that the registry only repeats. */
  readonly echoes: readonly IdentityField[];
  /** Whether the record answers another question. */
  readonly isMismatch: boolean;
  readonly facts: IdentityFacts;
}

export interface CollectedFacts {
  readonly registries: ReadonlySet<IdentityRegistry>;
  readonly statements: readonly Statement[];
  /** False if the response was due before a registry had answered. */
  readonly isComplete: boolean;
}

interface SourcedAnswer extends Omit<Statement, 'facts'> {
  readonly payload: unknown;
  /** Reads the persons of the records. */
  readonly read: () => readonly PersonTexts[];
}

/** Collects the answers of one operation about one person, for one object of its answer. */
export class IdentityCollector {
  private readonly lookups: Promise<RegistryLookup>[] = [];
  private readonly registries: IdentityRegistry[] = [];
  private readonly answers: SourcedAnswer[] = [];
  private readonly replacements = new Map<string, string>();
  private readonly asked: AskedQuestion[] = [];
  private settled: Promise<CollectedFacts> | null = null;

  /** `link` gets all questions that were asked about the person, once. */
  constructor(
    private readonly link: (context: LookupContext, asked: readonly AskedQuestion[], findings: CollectedFacts) => void,
  ) {}

  /** The CURPs that an answer so far has shown to be replaced. */
  get replaced(): ReplacedCurps {
    return this.replacements;
  }

  /** Adds the lookup of a field and returns it. A resolver must call this before its first `await`. */
  track<Lookup extends RegistryLookup>(registry: IdentityRegistry, lookup: Promise<Lookup>): Promise<Lookup> {
    this.registries.push(registry);
    this.lookups.push(lookup);
    return lookup;
  }

  /** Adds a question of a field, or of a lookup that it needed. Their entries are linked when all lookups of the operation have settled. */
  addQuestion(context: LookupContext, asked: AskedQuestion): void {
    this.asked.push(asked);
    if (this.asked.length > 1 || context.dataSource.linkPerson === undefined) return;
    void this.whenSettled().then((findings) => this.link(context, this.asked, findings));
  }

  /** Adds an answer of a field, or of a lookup that it needed. */
  addAnswer(answer: SourcedAnswer): void {
    this.answers.push(answer);
    if (answer.registry !== 'POPULATION_REGISTRY') return;
    for (const { curp, replacedCurp } of answer.read()) {
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

  private async settle(): Promise<CollectedFacts> {
    await Promise.resolve();
    const settled = await Promise.allSettled(this.lookups);
    const answers = [...new Map(this.answers.map((answer) => [answer.payload, answer])).values()];
    return {
      registries: new Set([...this.registries, ...answers.map(({ registry }) => registry)]),
      statements: answers.flatMap(({ read, ...statement }) =>
        read().map((texts) => ({ ...statement, facts: toFacts(texts, this.replaced) })),
      ),
      isComplete: !settled.some((result) => result.status === 'fulfilled' && isStillRunning(result.value)),
    };
  }
}

const isStillRunning = ({ problems }: RegistryLookup): boolean => problems.some(({ code }) => code === 'STILL_RUNNING');
