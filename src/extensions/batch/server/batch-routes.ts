import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Language, say, type Text } from '../../../identifiers/text';
import type { AuditTrail } from '../../../money/ledger/audit/audit-trail';
import { negotiateLanguage } from '../../../server/http/content-negotiation';
import { HttpError, sendError } from '../../../server/http/http-error';
import type { SealedLinks } from '../../../store/sealed-box';
import { type LinkHolder, type LinkResource, openLink } from '../batch-access';
import type { BatchFiles, LoadedFile, ResultFile, ResultFormat } from '../batch-files';
import { DatasetError, QuotaError } from '../dataset/dataset';

/** Refused rows in the response to an upload. `refusedRows` of the batch lists more. */
const maxListed = 100;

interface LinkRequest {
  Params: { readonly batch: string };
  Querystring: { readonly link?: unknown; readonly language?: unknown };
}

/** Adds the routes of datasets and results. A link gives access without a token, so it is never logged. `trail` records downloads. */
export async function addBatchRoutes(
  http: FastifyInstance,
  files: BatchFiles,
  links: SealedLinks,
  trail: AuditTrail | null,
): Promise<void> {
  await http.register(async (scope) => {
    // A body of any content type is passed on as a stream. The format of the dataset is detected from its first line.
    scope.removeAllContentTypeParsers();
    await scope.register(multipart, { limits: formLimits });
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));

    const open = (purpose: LinkResource, request: FastifyRequest<LinkRequest>, reply: FastifyReply): LinkHolder => {
      reply.header('cache-control', 'no-store');
      const holder = openLink(links, request.params.batch, purpose, request.query.link);
      if (holder === null) throw new HttpError(403, messages[readLanguage(request) ?? 'en'].link);
      return holder;
    };
    scope.route<LinkRequest>({
      method: ['POST', 'PUT'],
      url: '/batches/:batch/rows',
      onRequest: async (request, reply) => void open('rows', request, reply),
      handler: (request, reply) => receiveDataset(files, request, reply),
    });
    for (const format of ['jsonl', 'csv', 'xlsx'] as const)
      scope.get<LinkRequest>(`/batches/:batch/results.${format}`, async (request, reply) => {
        const { scope, ...holder } = open(`results.${format}`, request, reply);
        return sendResults(files, request, reply, format, async () => {
          const details = { batch: request.params.batch };
          await trail?.of({ ...holder, requestId: request.id }).add({ action: 'READ_RESULTS', scope, details });
        });
      });
  });
}

const contentTypes: Readonly<Record<ResultFormat, string>> = {
  jsonl: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

async function receiveDataset(
  files: BatchFiles,
  request: FastifyRequest<LinkRequest>,
  reply: FastifyReply,
): Promise<unknown> {
  const language = await files.languageOf(request.params.batch, readLanguage(request));
  try {
    const loaded = await files.load(request.params.batch, readDatasetBody(request));
    if (loaded === null) return batchNotFound(reply, language);
    return reply.send(toResponse(loaded, language));
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    // Closes the connection, because the rest of the body is not read.
    reply.header('connection', 'close');
    const message = say(error.text, language);
    if (error instanceof QuotaError) return sendError(reply, 413, message, error.problem.code);
    const reason = error.choice?.reason && say(error.choice.reason, language);
    return sendError(reply, 400, message, error.code ?? 'BAD_USER_INPUT', { details: { ...error.choice, reason } });
  }
}

/** Returns the language that the upload asks for. Returns null if it asks for none: then the language of the batch applies. */
function readLanguage({ headers }: FastifyRequest): Language | null {
  const accepted = headers['accept-language'];
  return accepted === undefined || accepted === '*' ? null : negotiateLanguage(accepted);
}

function toResponse(loaded: LoadedFile, language: Language) {
  const { rows, refusedCount, columns, variables, encoding, headerLine, sheet, sheets } = loaded;
  const refused = loaded.refused
    .slice(0, maxListed)
    .map(({ reason, ...row }) => ({ ...row, message: say(reason, language) }));
  return { rows, refusedCount, refused, columns, variables, encoding, headerLine, sheet, sheets };
}

async function sendResults(
  files: BatchFiles,
  request: FastifyRequest<LinkRequest>,
  reply: FastifyReply,
  format: ResultFormat,
  recordDownload: () => Promise<void>,
): Promise<unknown> {
  const { language } = request.query;
  const isLanguage = language === 'en' || language === 'es';
  const file = await files.write(request.params.batch, format, isLanguage ? language : null);
  if (file === null) return batchNotFound(reply, isLanguage ? language : 'en');
  await recordDownload();
  reply.header('content-disposition', attachment(nameResults(file, request.params.batch, format)));
  reply.header('x-content-type-options', 'nosniff');
  const body = new PassThrough();
  pipeline(Readable.from(file.content), body).catch(() => undefined);
  return reply.type(contentTypes[format]).send(body);
}

function batchNotFound(reply: FastifyReply, language: Language): FastifyReply {
  return sendError(reply, 404, messages[language].missing);
}

const messages: Readonly<Record<Language, { readonly link: string; readonly missing: string }>> = {
  en: {
    link: 'This link is invalid or has expired. Request a new one from the graph.',
    missing: 'The batch no longer exists.',
  },
  es: {
    link: 'Este enlace no es válido o ya venció. Pida uno nuevo al grafo.',
    missing: 'El lote ya no existe.',
  },
};

/** Enough for 100,000 rows of 2,000 bytes. */
const maxUploadBytes = 200_000_000;

/**
 * Limits of the form parser, which ignores what exceeds them. They are one byte and one file higher than what is allowed, so
 * that padron sees the excess and rejects the form.
 */
const formLimits = { files: 2, fields: 10, fileSize: maxUploadBytes + 1 };

async function* readDatasetBody(request: FastifyRequest): AsyncGenerator<Buffer> {
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
function explainForm(error: unknown): Text {
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

/** Characters of the name of the batch that are kept, so that file systems accept the name with its endings. */
const maxCharacters = 100;
const datasetEnding = /\.(?:csv|tsv|txt|xlsx|xlsm|jsonl|ndjson)$/i;
const unsafe = /[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]/gu;
const endings: Readonly<Record<Language, { readonly results: string; readonly partial: string }>> = {
  en: { results: 'results', partial: 'partial' },
  es: { results: 'resultados', partial: 'parcial' },
};

/** Returns the name of a file of results: that of the dataset with another ending, such as `people.results.csv`. */
function nameResults({ name, language, isPartial }: ResultFile, batch: string, format: ResultFormat): string {
  const safe = (name ?? '').replace(datasetEnding, '').replace(unsafe, '-');
  const base = [...safe]
    .slice(0, maxCharacters)
    .join('')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const { results, partial } = endings[language];
  return [base || `batch-${batch}`, results, ...(isPartial ? [partial] : []), format].join('.');
}

/** Returns a `content-disposition` with a name (RFC 6266). A name that is not plain ASCII is encoded by RFC 8187, with a similar name for old clients. */
function attachment(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]|[%"\\]/gu, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`;
}
