import { parse, print } from 'graphql';
import { withoutDamage } from '../../../identifiers/text';
import { withoutDescriptions } from '../../../identifiers/without-descriptions';
import { language } from '../../explorer/page/language/language';
import { type EndpointPrice, fetchValue, type Headers, type Reply } from '../../explorer/page/requests/request';

export interface BatchDetails extends BatchSummary {
  readonly reason: BatchProblem | null;
  /** When the reason of a pause ends, or null if padron does not know it. */
  readonly pausedUntil: string | null;
  readonly operation: string | null;
  readonly columns: readonly { readonly name: string; readonly variable: string | null }[];
  /** The sheet of the workbook that was read, and all visible ones. Null and none for other files. */
  readonly sheet: string | null;
  readonly sheets: readonly string[];
  readonly refusedCount: number;
  readonly refusedRows: readonly { readonly line: number; readonly message: string }[];
  readonly maxUnits: number | null;
  /** Questions that earlier batches have answered, and the price with these answers. */
  readonly earlierAnswers: EarlierAnswers | null;
  readonly estimate: BatchPrice | null;
  readonly barredEndpoints: readonly string[];
  /** Null before the first start. */
  readonly startedAt: string | null;
  readonly expiresAt: string;
}

export interface BatchSummary {
  readonly id: string;
  readonly name: string | null;
  readonly operationName: string | null;
  /** The client that owns the batch. Null without JWTs. */
  readonly client: string | null;
  readonly state: BatchState;
  /** Why the batch cannot be started although it is READY. */
  readonly startProblem: BatchProblem | null;
  readonly estimate: Pick<BatchPrice, 'invalidRows'> | null;
  readonly createdAt: string;
  readonly progress: BatchProgress;
}

type BatchState = 'WAITING_FOR_ROWS' | 'PRICING' | 'READY' | 'RUNNING' | 'PAUSED' | 'DONE' | 'CANCELED' | 'ERASED';

export interface BatchProgress {
  readonly rows: number;
  readonly done: number;
  readonly failed: number;
  readonly retryable: number;
  readonly unknown: number;
  readonly canceled: number;
  readonly erased: number;
  /** Rows that are done and may be about another person. */
  readonly doubtful: number;
  readonly waiting: number;
  readonly spentUnits: number;
  readonly uncertainUnits: number;
  readonly savedUnits: number;
  readonly rowsPerMinute: number | null;
  readonly secondsLeft: number | null;
}

interface BatchPrice {
  readonly estimatedUnits: number;
  readonly bounded: boolean;
  readonly invalidRows: number;
  readonly endpoints: readonly EndpointPrice[];
}

export interface EarlierAnswers extends Pick<BatchPrice, 'estimatedUnits'> {
  readonly questions: number;
  readonly latestAt: string;
  readonly batches: readonly { readonly id: string; readonly name: string | null }[];
}

export type EarlierChoice = 'USE' | 'PAY_AGAIN';

export interface BatchProblem {
  readonly code: string;
  readonly message: string;
}

/** An action on a batch. `RETRY_…` calls the registries again for failed or unknown rows. */
export type ControlAction = 'START' | 'PAUSE' | 'RESUME' | 'CANCEL' | 'RETRY_FAILED' | 'RETRY_UNKNOWN' | 'ERASE';

/** Whether the batch is in progress, so that the panel must poll it. */
export const isUnderWay = ({ state }: Pick<BatchSummary, 'state'>): boolean =>
  state === 'RUNNING' || state === 'PRICING';

export const isStartable = ({ state, startProblem }: Pick<BatchSummary, 'state' | 'startProblem'>): boolean =>
  state === 'READY' && (startProblem === null || startProblem.code === 'EARLIER_ANSWERS');

export const hasResults = ({ state }: Pick<BatchSummary, 'state'>): boolean =>
  state === 'RUNNING' || state === 'PAUSED' || state === 'DONE' || state === 'CANCELED';

/**
 * Returns the key that `padron batch` derives from the same operation, choices and file (`keyOf`), so that neither buys what the
 * other has bought. Returns null if the page is not served over HTTPS or on localhost, because browsers then compute no digests.
 */
async function deriveKey(parts: readonly unknown[], file: File): Promise<string | null> {
  if (!isSecureContext) return null;
  const bytes = await new Blob([JSON.stringify(parts), file]).arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const base64 = btoa(String.fromCharCode(...digest));
  return `padron-batch-${base64.replaceAll('+', '-').replaceAll('/', '_').slice(0, 32)}`;
}

interface Change {
  readonly batch: BatchDetails | null;
  readonly problems: readonly BatchProblem[];
}

export interface ChosenColumns {
  readonly columns: readonly { readonly column: string; readonly variable: string | null }[];
  readonly refColumn: string | null;
  readonly sheet: string | null;
}

const line = `id name operationName client state createdAt startProblem { code message } estimate { invalidRows }
  progress { rows done failed retryable unknown canceled erased doubtful waiting spentUnits uncertainUnits savedUnits rowsPerMinute secondsLeft }`;
const fields = `${line} reason { code message } pausedUntil operation columns { name variable } sheet sheets refusedCount refusedRows { line message }
  maxUnits earlierAnswers { questions latestAt estimatedUnits batches { id name } } barredEndpoints startedAt expiresAt
  estimate { estimatedUnits bounded invalidRows endpoints { url fields calls subtotal } }`;
const change = `{ batch { ${fields} } problems { code message } }`;

const changes = {
  START:
    'mutation($id: ID!, $maxUnits: Int!, $choice: RegistryEarlierChoice) { value: startRegistryBatch(id: $id, maxUnits: $maxUnits, earlierAnswers: $choice)',
  PAUSE: 'mutation($id: ID!) { value: pauseRegistryBatch(id: $id)',
  RESUME: 'mutation($id: ID!, $maxUnits: Int) { value: resumeRegistryBatch(id: $id, maxUnits: $maxUnits)',
  CANCEL: 'mutation($id: ID!) { value: cancelRegistryBatch(id: $id)',
  RETRY_FAILED:
    'mutation($id: ID!, $maxUnits: Int!) { value: retryRegistryBatch(id: $id, rows: FAILED, maxUnits: $maxUnits)',
  RETRY_UNKNOWN:
    'mutation($id: ID!, $maxUnits: Int!) { value: retryRegistryBatch(id: $id, rows: UNKNOWN, maxUnits: $maxUnits)',
  ERASE: 'mutation($id: ID!) { value: eraseRegistryBatch(id: $id)',
} as const satisfies Record<ControlAction, string>;

const maxListed = 100;

export async function listBatches(headers: Headers, signal: AbortSignal): Promise<Reply<readonly BatchSummary[]>> {
  const query = `query($first: Int!) { value: registryBatches(first: $first) { batches { ${line} } } }`;
  const reply = await fetchValue<{ readonly batches: readonly BatchSummary[] }>(
    headers,
    query,
    { first: maxListed },
    signal,
  );
  if (!('value' in reply)) return reply;
  return { value: (reply.value?.batches ?? []).filter(({ state }) => state !== 'ERASED') };
}

/** Fetches a batch. Returns null if the account no longer has it. */
export function fetchBatch(headers: Headers, id: string, signal: AbortSignal): Promise<Reply<BatchDetails | null>> {
  return fetchValue<BatchDetails>(
    headers,
    `query($id: ID!) { value: registryBatch(id: $id) { ${fields} } }`,
    { id },
    signal,
  );
}

/** Creates a batch for a file. Returns the batch that already ran the operation for this file, unless `isAgain` is true. */
export async function createBatch(
  headers: Headers,
  { query, operationName }: { readonly query: string; readonly operationName: string | null },
  file: File,
  { columns, refColumn, sheet }: ChosenColumns,
  purpose: string | null,
  isAgain: boolean,
): Promise<Reply<BatchDetails>> {
  const document = `mutation($input: RegistryBatchInput!) { value: createRegistryBatch(input: $input) ${change} }`;
  const operation = print(withoutDescriptions(parse(query, { noLocation: true })));
  const chosen = [
    ...(columns.length === 0 && refColumn === null ? [] : [columns, refColumn]),
    ...(sheet === null ? [] : [sheet]),
  ];
  // The batches of the service's sandbox mode are separate, so they need other keys.
  const sandbox = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'x-sandbox');
  const parts = [operation, operationName, ...chosen, ...sandbox.map(([, value]) => String(value))];
  const key = isAgain ? null : await deriveKey(parts, file);
  const input = {
    operation,
    operationName,
    key,
    name: withoutDamage(file.name.slice(0, 200)),
    columns,
    refColumn,
    sheet,
    purpose,
  };
  return readChange(await fetchValue<Change>(headers, document, { input }));
}

export async function changeBatch(
  headers: Headers,
  id: string,
  action: ControlAction,
  maxUnits: number | null,
  choice: EarlierChoice | null = null,
): Promise<Reply<BatchDetails>> {
  const document = `${changes[action]} ${change} }`;
  const hasCeiling = changes[action].includes('$maxUnits');
  return readChange(await fetchValue<Change>(headers, document, hasCeiling ? { id, maxUnits, choice } : { id }));
}

/** Fetches a link, which is valid for a few minutes only. Returns null if padron cannot create it. */
export async function fetchLink(
  headers: Headers,
  id: string,
  kind: 'uploadUrl' | 'xlsxUrl' | 'csvUrl' | 'jsonlUrl',
): Promise<Reply<string | null>> {
  const query = `query($id: ID!) { value: registryBatch(id: $id) { ${kind} } }`;
  const reply = await fetchValue<Readonly<Record<string, string | null>>>(headers, query, { id });
  if (!('value' in reply)) return reply;
  const url = reply.value?.[kind] ?? null;
  // The path is relative to this page, so that it works with any host name and behind any path. The batch may have been created in
  // another language.
  return { value: url === null ? null : `${url.slice(url.indexOf('/batches/') + 1)}&language=${language}` };
}

function readChange(reply: Reply<Change | null>): Reply<BatchDetails> {
  if (!('value' in reply)) return reply;
  const [problem] = reply.value?.problems ?? [];
  if (problem !== undefined) return { code: problem.code, reason: problem.message };
  const batch = reply.value?.batch ?? null;
  return batch === null ? { code: 'BATCH_NOT_FOUND', reason: '' } : { value: batch };
}
