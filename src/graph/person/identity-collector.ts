import { type IdentityFacts, type IdentityField, type IdentityRegistry, type IdentityTexts, toFacts } from './facts';

/** A kind of answer that holds something of a person's identity. */
export interface IdentitySource<Payload> {
  readonly registry: IdentityRegistry;
  /** What the registry was asked by, and only repeats. */
  readonly echoes: readonly IdentityField[];
  /** What an answer says: a list of records says it more than once. */
  readonly toTexts: (payload: Payload, isMismatch: boolean) => readonly IdentityTexts[];
}

/** What one registry said of a person. */
export interface Statement {
  readonly registry: IdentityRegistry;
  readonly echoes: readonly IdentityField[];
  readonly facts: IdentityFacts;
}

/** What an operation has learnt of a person once its lookups are over. */
export interface Findings {
  readonly registries: ReadonlySet<IdentityRegistry>;
  readonly statements: readonly Statement[];
}

interface SourcedAnswer {
  readonly source: IdentitySource<unknown>;
  readonly payload: unknown;
  readonly isMismatch: boolean;
}

/** What one operation asks about one person, in one place of its answer. */
export class Inquiry {
  private readonly lookups: Promise<unknown>[] = [];
  private readonly registries: IdentityRegistry[] = [];
  private readonly answers: SourcedAnswer[] = [];
  private provided: IdentityFacts | null = null;

  /** What the caller provided, worked out once. */
  providedFacts(read: () => IdentityFacts): IdentityFacts {
    this.provided ??= read();
    return this.provided;
  }

  /** Lists a field's lookup, and gives it back. To be called before its resolver waits for anything. */
  follow<Lookup>(registry: IdentityRegistry, lookup: Promise<Lookup>): Promise<Lookup> {
    this.registries.push(registry);
    this.lookups.push(lookup);
    return lookup;
  }

  /** An answer, a field's own or one on the way to it. It is read when somebody wants to know. */
  addAnswer<Payload>(source: IdentitySource<Payload>, payload: Payload, isMismatch: boolean): void {
    this.answers.push({ source: source as IdentitySource<unknown>, payload, isMismatch });
  }

  /**
   * All that the operation asks about the person, once it is there. A resolver is called for every field of an object before
   * anything is awaited, by graphql-js and (where a field `waitsForSiblings`) by plan alike: so a microtask later each lookup that was selected is listed,
   * in whatever order, under whatever alias and in whatever fragment. No lookup waits for this.
   */
  async settle(): Promise<Findings> {
    await Promise.resolve();
    await Promise.allSettled(this.lookups);
    const distinct = new Map(this.answers.map((answer) => [answer.payload, answer]));
    const answers = [...distinct.values()];
    return {
      registries: new Set([...this.registries, ...answers.map(({ source }) => source.registry)]),
      statements: answers.flatMap(readStatements),
    };
  }
}

function readStatements({ source, payload, isMismatch }: SourcedAnswer): readonly Statement[] {
  const { registry, echoes } = source;
  return source.toTexts(payload, isMismatch).map((texts) => ({ registry, echoes, facts: toFacts(texts) }));
}
