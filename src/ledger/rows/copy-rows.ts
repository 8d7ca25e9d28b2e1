import type { CopyRows } from '../../store/store';

/** An entry as its text says it (`entry-text.ts`). */
interface EntryValues {
  readonly id: string;
  readonly at: number;
  readonly account: string;
  readonly client: string | null;
  readonly tag: string | null;
  readonly operation: string | null;
  readonly request: string | null;
  readonly batch: string | null;
  readonly endpoint: string;
  readonly price: number;
  /** Kind, hash and key's version of each. */
  readonly subjects: readonly (readonly [string, string, string])[];
  readonly outcome: string;
  readonly status: number | null;
  readonly problem: string | null;
  readonly units: number;
  readonly billing: string;
  readonly served: string;
  readonly code: string | null;
  readonly checked: number | null;
}

const entryColumns =
  'id, at, account, process, client, tag, operation, request_id, batch_id, endpoint, outcome, status, problem, units, price, billing, served_from, validation_code, checked_at';
const absent = '\\N';
const special = /[\\\t\n\r]/;

/** Entries and whom they are about, as rows that are copied: a third of what a statement over JSON costs the embedded engine. */
export function toCopyRows(entriesJson: string, processName: string): readonly CopyRows[] {
  const entries: readonly EntryValues[] = JSON.parse(entriesJson);
  let entryLines = '';
  let subjectLines = '';
  for (const entry of entries) {
    entryLines += toLine(entry, processName);
    for (const [kind, hash, keyVersion] of entry.subjects) {
      subjectLines += `\\\\x${hash}\t${entry.id}\t${kind}\t${keyVersion}\n`;
    }
  }
  return [
    { into: `ledger_entries (${entryColumns})`, lines: entryLines },
    { into: 'ledger_subjects (hash, entry_id, kind, key_version)', lines: subjectLines },
  ].filter(({ lines }) => lines !== '');
}

/** In the order of the columns. Free text is what a caller or the service has chosen. */
function toLine(entry: EntryValues, processName: string): string {
  const { id, account, outcome, units, price, billing, served } = entry;
  const origin = `${freeText(entry.client)}\t${freeText(entry.tag)}\t${freeText(entry.operation)}\t${freeText(entry.request)}\t${freeText(entry.batch)}`;
  const end = `${outcome}\t${entry.status ?? absent}\t${entry.problem ?? absent}\t${units}\t${price}\t${billing}\t${served}\t${freeText(entry.code)}`;
  return `${id}\t${moment(entry.at)}\t${account}\t${processName}\t${origin}\t${entry.endpoint}\t${end}\t${moment(entry.checked)}\n`;
}

const moment = (milliseconds: number | null): string =>
  milliseconds === null ? absent : new Date(milliseconds).toISOString();

function freeText(text: string | null): string {
  if (text === null) return absent;
  if (!special.test(text)) return text;
  return text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}
