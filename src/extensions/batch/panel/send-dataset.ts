import { language } from '../../explorer/page/language/language';
import { texts } from '../../explorer/page/language/texts';
import {
  describeError,
  type GraphqlError,
  type GraphqlResponse,
  type Headers,
  type Reply,
} from '../../explorer/page/requests/request';
import { createStore } from '../../explorer/page/store';
import { fetchLink } from './batch-requests';
import { batchTexts as words } from './batch-texts';

/** The file that was sent last, so that the user can choose its columns. It is kept until the page is closed or another file is sent. */
interface SentFile {
  readonly file: File;
  /** The batch that has the rows of the file, or null if the file was rejected. */
  readonly batch: string | null;
  readonly columns: FileColumns;
  /** The sheet that the user chose, or null if padron chose it. */
  readonly sheet: string | null;
  readonly notes: readonly string[];
  readonly isChoosing: boolean;
}

export const sentFile = createStore<SentFile | null>(null);

/** A column of a file, and the variable that it fills. `variable` is null if the column fills none. */
export interface FileColumn {
  readonly name: string;
  readonly variable: string | null;
  /** The variable that the column fills if the user chooses none. */
  readonly matched: string | null;
  /** The variable for which the values of the column are valid, and how many of them are, if the file was rejected. */
  readonly suggestion?: { readonly variable: string; readonly valid: number; readonly filled: number };
  /** Whether padron does not price the file before the user chooses, also that the column is not used. */
  readonly isUnmapped?: boolean;
}

export interface FileColumns {
  readonly columns: readonly FileColumn[];
  readonly variables: readonly string[];
  readonly sheet: string | null;
  readonly sheets: readonly string[];
}

/** Result of an upload. The encoding is null for a workbook, and the line of the header for JSON lines. */
export interface ReadFile extends FileColumns {
  readonly encoding: string | null;
  readonly headerLine: number | null;
}

/** The reply to a file. If the columns do not fit the operation, the error lists them. */
type SentDataset = Reply<ReadFile> & { readonly choice?: FileColumns };

/** Sends a file as the rows of a batch. The browser streams the file, so its size does not matter. */
export async function sendDataset(headers: Headers, id: string, file: File): Promise<SentDataset> {
  const link = await fetchLink(headers, id, 'uploadUrl');
  if (!('value' in link)) return link;
  if (link.value === null) return { code: undefined, reason: texts.noLink };
  try {
    const response = await fetch(link.value, {
      method: 'POST',
      headers: { 'accept-language': language },
      body: file,
      cache: 'no-store',
    });
    if (!response.ok) return await readError(response);
    const read: ReadFile = await response.json();
    return { value: { ...read, columns: read.columns.map((column) => ({ ...column, matched: column.variable })) } };
  } catch (error) {
    return { code: undefined, reason: texts.notSent(error instanceof Error ? error.message : String(error)) };
  }
}

interface Rejection {
  readonly columns: readonly string[];
  readonly variables: readonly string[];
  readonly matches: readonly { readonly column: string; readonly variable: string }[];
  readonly suggestions: readonly (NonNullable<FileColumn['suggestion']> & { readonly column: string })[];
  readonly reason: string;
  readonly sheet: string | null;
  readonly sheets: readonly string[];
}

/** Codes of errors about a file, whose messages are in the language of the page. */
const translated = ['BAD_USER_INPUT', 'NOT_FOUND', 'COLUMNS_UNMAPPED'];

const describeUpload = (error: GraphqlError): string =>
  translated.includes(error.extensions?.code ?? '') ? error.message : describeError(error);

async function readError(response: Response): Promise<SentDataset> {
  const unread: GraphqlResponse = {};
  const { errors }: GraphqlResponse = await response.json().catch(() => unread);
  const [error] = errors ?? [];
  const code = error?.extensions?.code;
  const rejection = error?.extensions as Partial<Rejection> | undefined;
  const { columns, variables, matches = [], suggestions = [], reason, sheet = null, sheets = [] } = rejection ?? {};
  if (columns === undefined || variables === undefined || reason === undefined)
    return { code, reason: error === undefined ? texts.noGraphql(response.status) : describeUpload(error) };
  const choice = columns.map((name) => {
    const matched = matches.find(({ column }) => column === name)?.variable ?? null;
    const suggestion = suggestions.find(({ column }) => column === name);
    // Of several columns for a variable, the first one is chosen at first.
    const isFirst = suggestions.find(({ variable }) => variable === suggestion?.variable) === suggestion;
    const column = { name, matched, variable: matched ?? (isFirst ? (suggestion?.variable ?? null) : null) };
    return suggestion === undefined ? column : { ...column, suggestion, isUnmapped: code === 'COLUMNS_UNMAPPED' };
  });
  return {
    code,
    reason: `${reason} ${words.chooseBelow}`,
    choice: { columns: choice, variables, sheet, sheets },
  };
}
