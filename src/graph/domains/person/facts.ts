import { foldName, padNss } from '../../../identifiers/normalise';
import { checkCurp, checkRfc } from '../../../identifiers/subjects';
import type { AskedQuestion } from '../../../registry/answer/answer';
import type { LookupContext } from '../../core/context';
import type { RegistryLookup } from '../../core/lookup/types';

export type IdentityField =
  | 'NSS'
  | 'CURP'
  | 'RFC'
  | 'NAMES'
  | 'PATERNAL_SURNAME'
  | 'MATERNAL_SURNAME'
  | 'BIRTH_DATE'
  | 'SEX';

export type IdentityRegistry = 'HOUSING_FUND' | 'POPULATION_REGISTRY' | 'EDUCATION_MINISTRY';

/** Identity of a person in a normalised form that can be compared. A field is null if it is missing or cannot be compared. */
export type IdentityFacts = Readonly<Record<IdentityField, string | null>>;

export interface IdentityTexts {
  readonly nss?: string | null;
  readonly curp?: string | null;
  readonly rfc?: string | null;
  readonly names?: string | null;
  readonly paternalSurname?: string | null;
  readonly maternalSurname?: string | null;
  readonly birthDate?: string | null;
  readonly sex?: string | null;
}

/** Normalises an identity. If date of birth or sex is missing, the one in the CURP is used. */
export function toFacts(texts: IdentityTexts): IdentityFacts {
  const curp = comparableCurp(texts.curp);
  return {
    NSS: texts.nss ? padNss(texts.nss) : null,
    CURP: curp,
    RFC: comparableRfc(texts.rfc),
    NAMES: comparableName(texts.names),
    PATERNAL_SURNAME: comparableName(texts.paternalSurname),
    MATERNAL_SURNAME: comparableName(texts.maternalSurname),
    BIRTH_DATE: texts.birthDate ?? (curp === null ? null : birthDateOf(curp)),
    SEX: writtenSex(texts.sex) ?? (curp === null ? null : sexOf(curp)),
  };
}

/** Whether the date of birth in an RFC (`YYMMDD`) is the same as one written `YYYY-MM-DD`. */
export function isBornOn(rfc: string, birthDate: string): boolean {
  return rfc.slice(4, 10) === birthDate.slice(2).replaceAll('-', '');
}

/** Whether two CURPs are the same. The check digit is ignored. */
export function isSameCurp(left: string, right: string): boolean {
  if (left === right) return true;
  const curp = comparableCurp(left);
  return curp !== null && curp === comparableCurp(right);
}

/** Sexes as written by the population registry (HOMBRE, MUJER) and the professionals registry (1, 2). Other texts are ignored. */
const sexes: ReadonlyMap<string, string> = new Map([
  ['HOMBRE', 'H'],
  ['1', 'H'],
  ['MUJER', 'M'],
  ['2', 'M'],
]);

const writtenSex = (text: string | null | undefined): string | null =>
  text ? (sexes.get(text.trim().toUpperCase()) ?? null) : null;

/**
 * Returns a CURP without its check digit, so that a mistyped check digit does not make it a different CURP. Returns null if the text
 * is not a CURP.
 */
function comparableCurp(text: string | null | undefined): string | null {
  if (!text) return null;
  const violation = checkCurp(text);
  return violation === null || violation.code === 'WRONG_CHECK_DIGIT' ? text.slice(0, -1) : null;
}

/** Returns the RFC of a person, which has 13 characters and contains a date of birth. Returns null for any other text. */
function comparableRfc(text: string | null | undefined): string | null {
  return text && text.length === 13 && checkRfc(text) === null ? text : null;
}

function comparableName(text: string | null | undefined): string | null {
  return text ? foldName(text) || null : null;
}

function birthDateOf(curp: string): string {
  const century = curp.charAt(16) <= '9' ? '19' : '20';
  return `${century}${curp.slice(4, 6)}-${curp.slice(6, 8)}-${curp.slice(8, 10)}`;
}

/** Returns the sex in a CURP. Returns null for X, because no HOMBRE or MUJER of a registry contradicts it. */
function sexOf(curp: string): string | null {
  const letter = curp.charAt(10);
  return letter === 'X' ? null : letter;
}

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
  private readonly asked: AskedQuestion[] = [];
  private provided: IdentityFacts | null = null;

  /** `link` gets all questions that were asked about the person, once. */
  constructor(
    private readonly link: (context: LookupContext, asked: readonly AskedQuestion[], findings: CollectedFacts) => void,
  ) {}

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

  /** Adds a question of a field, or of a lookup that it needed. Their entries are linked when all lookups of the operation have settled. */
  addQuestion(context: LookupContext, asked: AskedQuestion): void {
    this.asked.push(asked);
    if (this.asked.length > 1 || context.dataSource.linkPerson === undefined) return;
    void this.whenSettled().then((findings) => this.link(context, this.asked, findings));
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
