import type { RegistryLookup } from '../../core/lookup/types';
import { type IdentityFacts, type IdentityField, type IdentityRegistry, type IdentityTexts, toFacts } from './facts';

export interface IdentitySource<Payload> {
  readonly registry: IdentityRegistry;
  /** Fields of the request, which the registry only repeats. */
  readonly echoes: readonly IdentityField[];
  readonly toTexts: (payload: Payload, isMismatch: boolean) => readonly IdentityTexts[];
}

export interface Statement {
  readonly registry: IdentityRegistry;
  readonly echoes: readonly IdentityField[];
  readonly facts: IdentityFacts;
}

export interface CollectedFacts {
  readonly registries: ReadonlySet<IdentityRegistry>;
  readonly statements: readonly Statement[];
  /** False if the response was due before a registry had answered. */
  readonly isComplete: boolean;
}

interface SourcedAnswer {
  readonly source: IdentitySource<unknown>;
  readonly payload: unknown;
  readonly isMismatch: boolean;
}

/** Collects the answers of one operation about one person, for one object of its answer. */
export class IdentityCollector {
  private readonly lookups: Promise<RegistryLookup>[] = [];
  private readonly registries: IdentityRegistry[] = [];
  private readonly answers: SourcedAnswer[] = [];
  private provided: IdentityFacts | null = null;

  providedFacts(read: () => IdentityFacts): IdentityFacts {
    this.provided ??= read();
    return this.provided;
  }

  /** Adds the lookup of a field and returns it. A resolver must call this before its first `await`. */
  track<Lookup extends RegistryLookup>(registry: IdentityRegistry, lookup: Promise<Lookup>): Promise<Lookup> {
    this.registries.push(registry);
    this.lookups.push(lookup);
    return lookup;
  }

  /** Adds an answer of a field, or of a lookup that it needed. It is read only if `consistency` is selected. */
  addAnswer<Payload>(source: IdentitySource<Payload>, payload: Payload, isMismatch: boolean): void {
    this.answers.push({ source: source as IdentitySource<unknown>, payload, isMismatch });
  }

  /**
   * Returns the collected identities when all lookups of the operation have settled. graphql-js calls the resolvers of all fields of
   * an object before it awaits any of them, so one microtask later every selected lookup has been added. No lookup waits for this.
   */
  async whenSettled(): Promise<CollectedFacts> {
    await Promise.resolve();
    const settled = await Promise.allSettled(this.lookups);
    const distinct = new Map(this.answers.map((answer) => [answer.payload, answer]));
    const answers = [...distinct.values()];
    return {
      registries: new Set([...this.registries, ...answers.map(({ source }) => source.registry)]),
      statements: answers.flatMap(readStatements),
      isComplete: !settled.some((result) => result.status === 'fulfilled' && isStillRunning(result.value)),
    };
  }
}

const isStillRunning = ({ problems }: RegistryLookup): boolean => problems.some(({ code }) => code === 'STILL_RUNNING');

function readStatements({ source, payload, isMismatch }: SourcedAnswer): readonly Statement[] {
  const { registry, echoes } = source;
  return source.toTexts(payload, isMismatch).map((texts) => ({ registry, echoes, facts: toFacts(texts) }));
}
