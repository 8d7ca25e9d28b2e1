import { language, texts } from '../../language/texts';
import type { GraphqlResponse } from '../../requests/graphql-response';
import type { Headers } from '../../requests/request';
import { type BatchReply, fetchLink } from './batch-requests';

/** Sends a file as the rows of a batch. The browser streams the file, so its size does not matter. */
export async function sendDataset(headers: Headers, id: string, file: File): Promise<BatchReply<null>> {
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
    return response.ok ? { value: null } : await readError(response);
  } catch (error) {
    return { code: undefined, reason: texts.notSent(error instanceof Error ? error.message : String(error)) };
  }
}

async function readError(response: Response): Promise<BatchReply<null>> {
  const unread: GraphqlResponse = {};
  const { errors }: GraphqlResponse = await response.json().catch(() => unread);
  const [error] = errors ?? [];
  return { code: error?.extensions?.code, reason: error?.message ?? texts.noGraphql(response.status) };
}
