import type { FastifyRequest } from 'fastify';
import { DatasetError } from '../../batch/dataset/dataset';

/** Enough for 100,000 rows of 2,000 bytes. */
const maxUploadBytes = 200_000_000;

/**
 * Limits of the form parser, which ignores what exceeds them. They are one byte and one file higher than what is allowed, so
 * that padron sees the excess and rejects the form.
 */
export const formLimits = { files: 2, fields: 10, fileSize: maxUploadBytes + 1 };

/** Yields the bytes of the dataset in a request: the raw body, or the only file of a form. Throws a `DatasetError` if they are rejected. */
export async function* readDatasetBody(request: FastifyRequest): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of request.isMultipart() ? readForm(request) : request.raw) {
    bytes += chunk.length;
    if (bytes > maxUploadBytes)
      throw new DatasetError(`The file has more than ${maxUploadBytes} bytes. Split it into several batches.`);
    yield chunk;
  }
}

async function* readForm(request: FastifyRequest): AsyncGenerator<Buffer> {
  let files = 0;
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue;
      files += 1;
      if (files > 1) throw new DatasetError('The form has more than one file. Create a batch for each file.');
      yield* part.file;
    }
  } catch (error) {
    throw error instanceof DatasetError ? error : new DatasetError(explainForm(error));
  }
  if (files === 0) throw new DatasetError('The form has no file. Send the dataset as a part with a file name.');
}

/** Returns a message for an error of the form parser. The parser's message may quote the form, so it is not shown. */
function explainForm(error: unknown): string {
  const isCut = error instanceof Error && /unexpected end|terminated early|premature/i.test(error.message);
  return isCut
    ? 'The form is incomplete: it ends before its closing boundary. Send it again.'
    : 'The form cannot be read. Send the dataset as the only file of a multipart form.';
}
