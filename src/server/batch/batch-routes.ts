import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BatchFiles, LoadedFile, ResultFormat } from '../../batch/batch-files';
import { type LinkPurpose, opensBatch } from '../../batch/batch-links';
import { DatasetError } from '../../batch/dataset/dataset';
import { QuotaError } from '../../batch/storage/quotas';
import { inLanguage } from '../../registry/answer/problem';
import type { SealedLinks } from '../../store/sealed-links';
import { type Language, say } from '../../text/text';
import { negotiateLanguage } from '../http/content-negotiation';
import { HttpError, sendError } from '../http/http-error';
import { formLimits, readDatasetBody } from './dataset-body';
import { attachment, nameResults } from './result-name';

/** Refused rows in the response to an upload. `refusedRows` of the batch lists more. */
const maxListed = 100;

interface LinkRequest {
  Params: { readonly batch: string };
  Querystring: { readonly link?: unknown; readonly language?: unknown };
}

/** Adds the routes of datasets and results. A link gives access without a token, so it is never logged. */
export async function addBatchRoutes(http: FastifyInstance, files: BatchFiles, links: SealedLinks): Promise<void> {
  await http.register(async (scope) => {
    // A body of any content type is passed on as a stream. The format of the dataset is detected from its first line.
    scope.removeAllContentTypeParsers();
    await scope.register(multipart, { limits: formLimits });
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));

    const guard = (purpose: LinkPurpose) => async (request: FastifyRequest<LinkRequest>, reply: FastifyReply) => {
      reply.header('cache-control', 'no-store');
      if (opensBatch(links, request.params.batch, purpose, request.query.link)) return;
      throw new HttpError(403, messages[readLanguage(request) ?? 'en'].link);
    };
    scope.route<LinkRequest>({
      method: ['POST', 'PUT'],
      url: '/batches/:batch/rows',
      onRequest: guard('rows'),
      handler: (request, reply) => receiveDataset(files, request, reply),
    });
    for (const format of ['jsonl', 'csv', 'xlsx'] as const)
      scope.get<LinkRequest>(
        `/batches/:batch/results.${format}`,
        { onRequest: guard(`results.${format}`) },
        (request, reply) => sendResults(files, request, reply, format),
      );
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
    return sendError(reply, 400, message, 'BAD_USER_INPUT', { details: { ...error.choice, reason } });
  }
}

/** Returns the language that the upload asks for. Returns null if it asks for none: then the language of the batch applies. */
function readLanguage({ headers }: FastifyRequest): Language | null {
  const accepted = headers['accept-language'];
  return accepted === undefined || accepted === '*' ? null : negotiateLanguage(accepted);
}

function toResponse(loaded: LoadedFile, language: Language) {
  const { rows, rejectedCount, rejected, columns, variables, encoding, headerLine, sheet, sheets } = loaded;
  const refused = rejected.slice(0, maxListed).map((row) => inLanguage(row, language));
  return { rows, refusedCount: rejectedCount, refused, columns, variables, encoding, headerLine, sheet, sheets };
}

async function sendResults(
  files: BatchFiles,
  request: FastifyRequest<LinkRequest>,
  reply: FastifyReply,
  format: ResultFormat,
): Promise<unknown> {
  const { language } = request.query;
  const isLanguage = language === 'en' || language === 'es';
  const file = await files.write(request.params.batch, format, isLanguage ? language : null);
  if (file === null) return batchNotFound(reply, isLanguage ? language : 'en');
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
