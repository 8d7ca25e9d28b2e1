import { parseIsoDate } from '../../../identifiers/dates';
import { checkCertificateFolio, checkLicenceNumber } from '../../../identifiers/document';
import { namesToSearch, secondSurname } from '../../../identifiers/names';
import { cleanName, maxInputLength } from '../../../identifiers/normalise';
import { checkCurp, checkEmployerRegistration, checkName, checkNss, checkRfc } from '../../../identifiers/subjects';
import type { RuleViolation } from '../../../identifiers/violation';
import {
  InvalidCursorError,
  type LedgerFilter,
  type PageRequest,
  type SettlementInput,
} from '../../../money/ledger/entries/ledger-api';
import type { LedgerReader } from '../../../money/ledger/reading/ledger-reader';
import { looksPersonal, readReference } from '../../../registry/caller';
import { type Subject, type SubjectKind, subjectByName } from '../../../registry/endpoint/endpoint';
import { invalidInput } from '../../core/client-error';
import type { Context } from '../../core/context';
import { isInvalid, validate } from '../../core/lookup/lookup';
import type { RegistryBillingInput, RegistryLedgerFilter, RegistrySubjectInput } from './types';

type Rule = (value: string) => RuleViolation | null;
type PlainKind = Exclude<SubjectKind, 'name'>;

const rules: Readonly<Record<PlainKind, Rule>> = {
  nss: checkNss,
  curp: checkCurp,
  rfc: checkRfc,
  registration: checkEmployerRegistration,
  licence: checkLicenceNumber,
  certificate: checkCertificateFolio,
};
const plainKinds = Object.keys(rules) as readonly PlainKind[];

export function readSubject(context: Context, input: RegistrySubjectInput): readonly Subject[] {
  const plain = plainKinds.flatMap((kind) => {
    const value = input[kind] ?? null;
    return value === null ? [] : [{ kind, value: checked(context, value, rules[kind], kind) }];
  });
  const name = input.name ?? null;
  const subjects = name === null ? plain : [...plain, readPersonName(context, name)];
  if (subjects.length > 0) return subjects;
  throw invalidInput('`subject` is empty. Give at least one identifier.');
}

/** Returns a name as the search of licences sends it. A name with and one without a second surname are different subjects. */
function readPersonName(context: Context, name: NonNullable<RegistrySubjectInput['name']>): Subject {
  const part = (value: string, field: string): string => checked(context, cleanName(value), checkName, `name.${field}`);
  const [given, paternal] = [part(name.names, 'names'), part(name.paternalSurname, 'paternalSurname')];
  const second = secondSurname(name.maternalSurname ?? null);
  const maternal = second === null ? null : part(second, 'maternalSurname');
  return subjectByName(namesToSearch(given), paternal, maternal);
}

/** Returns a valid value. Throws an error that describes the rule and never contains the value. */
function checked(context: Context, value: string, rule: Rule, place: string): string {
  const input = validate(context, value, rule, [place]);
  if (!isInvalid(input)) return input.value;
  throw invalidInput(`\`subject.${place}\` is invalid. ${input.problems[0]?.message ?? ''}`);
}

const maxSettlements = 1_000;
const maxNoteLength = 100;

export function readSettlements(input: readonly RegistryBillingInput[]): readonly SettlementInput[] {
  if (input.length === 0 || input.length > maxSettlements)
    throw invalidInput(`\`input\` must name between 1 and ${maxSettlements} entries.`);
  const ids = new Set<string>();
  return input.map(({ id, billing, note = null }, index) => {
    if (billing === 'UNKNOWN') throw invalidInput(`\`input.${index}.billing\` must be CHARGED or NOT_CHARGED.`);
    if (ids.has(id)) throw invalidInput(`\`input.${index}.id\` appears twice. Name each entry once.`);
    ids.add(id);
    return { id, billing, note: note === null ? null : readNote(note.trim(), index) };
  });
}

/** Returns a note. Throws if it looks like personal data, because the ledger stores none. */
function readNote(note: string, index: number): string | null {
  if (note.length > maxNoteLength || /\p{Cc}/u.test(note))
    throw invalidInput(`\`input.${index}.note\` must be one line of at most ${maxNoteLength} characters.`);
  if (looksPersonal(note))
    throw invalidInput(
      `\`input.${index}.note\` looks like it has an identifier or an e-mail address. Remove it: the ledger stores no identifiers in clear text.`,
    );
  return note === '' ? null : note;
}

const maxPage = 1_000;
/** Format of an instant: it needs a time zone, and a year of four digits as both engines support. */
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/i;

type Days = Pick<LedgerReader, 'startOfDay'>;
type Hashes = Pick<LedgerReader, 'hashesOf'>;

export function readFilter(filter: RegistryLedgerFilter | null, reader: Days & Hashes): LedgerFilter {
  return {
    ...readInterval(filter, reader),
    client: readName(filter?.client, 'client'),
    tag: readName(filter?.tag, 'tag'),
    purpose: readName(filter?.purpose, 'purpose'),
    operation: readName(filter?.operation, 'operation'),
    endpoint: readName(filter?.endpoint, 'endpoint'),
    batch: readName(filter?.batch, 'batch'),
    actor: readHashes(filter?.actor, 'actor', reader),
    reference: readHashes(filter?.reference, 'reference', reader),
    billing: filter?.billing ?? null,
    unsettled: filter?.unsettled ?? null,
  };
}

export function readPageRequest(first: number, after: string | null): PageRequest {
  if (first < 1 || first > maxPage)
    throw invalidInput(`\`first\` must be between 1 and ${maxPage}. Use the CSV for more at once.`);
  return { first, after };
}

interface Interval {
  readonly from?: string | null;
  readonly to?: string | null;
}

export function readInterval(filter: Interval | null, days: Days): Pick<LedgerFilter, 'from' | 'to'> {
  const from = readInstant(filter?.from ?? null, 'from', days);
  const to = readInstant(filter?.to ?? null, 'to', days);
  if (from !== null && to !== null && from >= to)
    throw invalidInput(
      '`filter.from` must be before `filter.to`. The interval includes its start and excludes its end.',
    );
  return { from, to };
}

export async function pageOf<Page>(page: Promise<Page>): Promise<Page> {
  try {
    return await page;
  } catch (error) {
    if (!(error instanceof InvalidCursorError)) throw error;
    throw invalidInput('`after` is not a cursor of these entries. Use `next` of the previous page.');
  }
}

function readInstant(text: string | null, name: string, days: Days): Date | null {
  if (text === null) return null;
  // JavaScript parses 31 February as 3 March.
  const day = parseIsoDate(text);
  if (day === text) return days.startOfDay(day);
  const date = new Date(text);
  if (instant.test(text) && day !== null && !Number.isNaN(date.getTime())) return date;
  throw invalidInput(
    `\`filter.${name}\` must be a day, for example 2026-02-01, or an instant with a time zone, for example 2026-02-01T00:00:00-06:00.`,
  );
}

export function readHashes(
  text: string | null | undefined,
  kind: 'actor' | 'reference',
  reader: Hashes,
): readonly string[] | null {
  const name = readName(text, kind);
  const value = name === null || kind === 'actor' ? name : readReference(name);
  if (value === null && name !== null) throw invalidInput('`reference` must have 1 to 64 visible characters.');
  return value === null ? null : reader.hashesOf({ kind, value });
}

/** Returns a name as it is stored, or null. No stored name is longer than `maxInputLength`. */
export function readName(name: string | null | undefined, field: string): string | null {
  if (name === null || name === undefined) return null;
  if (name.length > maxInputLength) throw invalidInput(`\`filter.${field}\` must have at most 1,000 characters.`);
  return name;
}
