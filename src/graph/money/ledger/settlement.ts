import type { SettlementInput } from '../../../ledger/reading/ledger-api';
import { looksPersonal } from '../../../registry/call-labels';
import { invalidInput } from './filter';
import type { RegistryBillingInput } from './inputs';

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
