import { language, texts } from '../../language/texts';
import type { GraphqlResponse } from '../../requests/graphql-response';
import type { Headers } from '../../requests/request';
import { type BatchReply, fetchLink } from './batch-requests';

/** The columns of a file, and the variables that they can fill. `variable` is null if the column fills none. */
export interface FileColumns {
  readonly columns: readonly { readonly name: string; readonly variable: string | null }[];
  readonly variables: readonly string[];
}

/** Result of an upload. The encoding is null for a workbook, and the line of the header for JSON lines. */
export interface ReadFile extends FileColumns {
  readonly encoding: string | null;
  readonly headerLine: number | null;
}

/** The reply to a file. If the columns do not fit the operation, the error lists them. */
export type SentDataset = BatchReply<ReadFile> & { readonly choice?: FileColumns };

/** Sends a file as the rows of a batch. The browser streams the file, so its size does not matter. */
export async function sendDataset(headers: Headers, id: string, file: File): Promise<SentDataset> {
  const link = await fetchLink(headers, id, 'uploadUrl');
  if (!('value' in link)) return link;
  if (link.value === null) return { code: undefined, reason: texts.batch.noLink };
  try {
    const response = await fetch(link.value, {
      method: 'POST',
      headers: { 'accept-language': language },
      body: file,
      cache: 'no-store',
    });
    return response.ok ? { value: await response.json() } : await readError(response);
  } catch (error) {
    return { code: undefined, reason: texts.notSent(error instanceof Error ? error.message : String(error)) };
  }
}

async function readError(response: Response): Promise<SentDataset> {
  const unread: GraphqlResponse = {};
  const { errors }: GraphqlResponse = await response.json().catch(() => unread);
  const [error] = errors ?? [];
  const reply = { code: error?.extensions?.code, reason: error?.message ?? texts.noGraphql(response.status) };
  const { columns, variables } = (error?.extensions ?? {}) as { columns?: string[]; variables?: string[] };
  if (columns === undefined || variables === undefined) return reply;
  return { ...reply, choice: { columns: columns.map((name) => ({ name, variable: null })), variables } };
}
