import { type Problem, problem } from '../../registry/answer/problem';
import { composeLabel, describeTags, isHeaderName } from '../../registry/call-labels';
import type { Remark } from '../batch';
import type { BatchDependencies } from '../batch-dependencies';
import type { BatchInput } from '../batches';

const maxInlineRows = 1_000;
const maxTextLength = 200;

/** Returns why the input of a batch is invalid, or null. The operation and its columns are checked separately. */
export function checkInput(
  { name, key, tag, rows, retentionDays }: BatchInput,
  { retentionDays: maxDays, tagPattern }: Pick<BatchDependencies, 'retentionDays' | 'tagPattern'>,
): Problem | null {
  for (const [field, text] of Object.entries({ name, key }))
    if (text !== null && (text.length > maxTextLength || text.trim() === ''))
      return toInputProblem([field], textLength(field));
  if (tag !== null && !isHeaderName(readTag(tag), tagPattern)) return toInputProblem(['tag'], invalidTag(tagPattern));
  if (rows !== null && rows.length > maxInlineRows) return toInputProblem(['rows'], tooManyRows(rows.length));
  if (retentionDays !== null && (retentionDays < 1 || retentionDays > maxDays)) return retentionOutOfRange(maxDays);
  return null;
}

/** Returns the tag as the header `x-tag` would be read. The ledger stores both unencrypted, so the same rule applies to both. */
export const readTag = (tag: string): string => composeLabel(tag).trim();

function invalidTag(tagPattern: RegExp | null): Remark {
  const { english, spanish } = describeTags(tagPattern);
  return {
    english: `\`tag\` is not allowed in the ledger. Use ${english}.`,
    spanish: `\`tag\` no se permite en el libro de consultas. Use ${spanish}.`,
  };
}

function retentionOutOfRange(maxDays: number): Problem {
  return problem('OUT_OF_RANGE', {
    path: ['input', 'retentionDays'],
    message: `Batches are kept for at most ${maxDays} days here (BATCH_RETENTION_DAYS). Ask for 1 to ${maxDays} days, or leave \`retentionDays\` out.`,
    spanish: `Aquí los lotes se guardan ${maxDays} días como máximo (BATCH_RETENTION_DAYS). Pida de 1 a ${maxDays} días, u omita \`retentionDays\`.`,
  });
}

const textLength = (field: string): Remark => ({
  english: `\`${field}\` must have 1 to ${maxTextLength} characters.`,
  spanish: `\`${field}\` debe tener de 1 a ${maxTextLength} caracteres.`,
});
const tooManyRows = (rows: number): Remark => ({
  english: `\`rows\` has ${rows} rows. Send at most ${maxInlineRows} here, or a file to \`uploadUrl\`.`,
  spanish: `\`rows\` tiene ${rows} filas. Envíe aquí ${maxInlineRows} como máximo, o un archivo a \`uploadUrl\`.`,
});

/** Returns a problem at a place of the input. */
export const toInputProblem = (path: readonly string[], { english: message, spanish }: Remark): Problem =>
  problem('INVALID_FORMAT', { message, spanish, path: ['input', ...path] });
