import type { FastifyRequest } from 'fastify';
import { DatasetError } from '../../batch/dataset/dataset';

/** A hundred thousand rows of two thousand bytes. */
const maxUploadBytes = 200_000_000;

/** Limits of a form. One byte and one file more than allowed are read, so that they are refused and not left out. */
export const formLimits = { files: 2, fields: 10, fileSize: maxUploadBytes + 1 };

/** Yields the bytes of the dataset that a request brings, raw or in a form. Throws a `DatasetError` if it cannot be taken as a whole. */
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
      if (files > 1) throw new DatasetError('The form holds more than one file. Send each file to a batch of its own.');
      yield* part.file;
    }
  } catch (error) {
    throw error instanceof DatasetError ? error : new DatasetError(explainForm(error));
  }
  if (files === 0) throw new DatasetError('The form holds no file. Send the dataset as a part with a file name.');
}

/** Returns a message for an error of the form parser, whose own message may quote the form. */
function explainForm(error: unknown): string {
  const isCut = error instanceof Error && /unexpected end|terminated early|premature/i.test(error.message);
  return isCut
    ? 'The form is incomplete: it ends before its closing boundary. Send it again.'
    : 'The form cannot be read. Send the dataset as the only file of a multipart form.';
}
