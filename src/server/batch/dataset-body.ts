import type { FastifyRequest } from 'fastify';
import type { Remark } from '../../batch/batch';
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
    if (bytes > maxUploadBytes) throw new DatasetError(tooLarge);
    yield chunk;
  }
}

async function* readForm(request: FastifyRequest): AsyncGenerator<Buffer> {
  let files = 0;
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue;
      files += 1;
      if (files > 1) throw new DatasetError(severalFiles);
      yield* part.file;
    }
  } catch (error) {
    throw error instanceof DatasetError ? error : new DatasetError(explainForm(error));
  }
  if (files === 0) throw new DatasetError(noFile);
}

/** Returns a message for an error of the form parser. The parser's message may quote the form, so it is not shown. */
function explainForm(error: unknown): Remark {
  const isCut = error instanceof Error && /unexpected end|terminated early|premature/i.test(error.message);
  return isCut ? incompleteForm : unreadableForm;
}

const tooLarge = {
  english: `The file has more than ${maxUploadBytes} bytes. Split it into several batches.`,
  spanish: `El archivo tiene más de ${maxUploadBytes} bytes. Divídalo en varios lotes.`,
};
const severalFiles = {
  english: 'The form has more than one file. Create a batch for each file.',
  spanish: 'El formulario tiene más de un archivo. Cree un lote para cada archivo.',
};
const noFile = {
  english: 'The form has no file. Send the dataset as a part with a file name.',
  spanish: 'El formulario no tiene archivo. Envíe los datos como una parte con nombre de archivo.',
};
const incompleteForm = {
  english: 'The form is incomplete: it ends before its closing boundary. Send it again.',
  spanish: 'El formulario está incompleto: termina antes de su delimitador final. Envíelo de nuevo.',
};
const unreadableForm = {
  english: 'The form cannot be read. Send the dataset as the only file of a multipart form.',
  spanish: 'El formulario no se puede leer. Envíe los datos como el único archivo de un formulario multipart.',
};
