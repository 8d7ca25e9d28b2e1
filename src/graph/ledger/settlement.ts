import type { SettlementInput } from '../../ledger/reading/port';
import { invalidInput } from './filter';
import type { RegistryBillingInput } from './inputs';

const maxSettlements = 1_000;
const maxNoteLength = 100;
/** A run of letters and digits with as many digits as an identifier has, blanks and dashes between them or not. */
const identifier = /(?:\d[ -]?){9,}|[A-ZÑ&]{3,4}[ -]?\d{6}/iu;

export function readSettlements(input: readonly RegistryBillingInput[]): readonly SettlementInput[] {
  if (input.length === 0 || input.length > maxSettlements)
    throw invalidInput(`\`input\` names between 1 and ${maxSettlements} entries at once.`);
  const ids = new Set<string>();
  return input.map(({ id, billing, note = null }, index) => {
    if (billing === 'UNKNOWN') throw invalidInput(`\`input.${index}.billing\` is CHARGED or NOT_CHARGED.`);
    if (ids.has(id)) throw invalidInput(`\`input.${index}.id\` is given twice.`);
    ids.add(id);
    return { id, billing, note: note === null ? null : readNote(note.trim(), index) };
  });
}

/** The ledger holds no personal data: a note must not bring any. */
function readNote(note: string, index: number): string | null {
  if (note.length > maxNoteLength || /\p{Cc}/u.test(note))
    throw invalidInput(`\`input.${index}.note\` is one line of ${maxNoteLength} characters at most.`);
  if (identifier.test(note))
    throw invalidInput(`\`input.${index}.note\` holds what looks like an identifier: the ledger keeps none in clear.`);
  return note === '' ? null : note;
}
