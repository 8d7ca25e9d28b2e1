import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type Language, say, type Text } from '../identifiers/text';
import { type CsvExport, csvPath, maxCsvEntries } from '../money/ledger/reading/csv-export';
import { StoreUnavailableError } from '../store/store';
import { sendError } from './http/http-error';

interface LinkRequest {
  readonly Querystring: { readonly link?: unknown; readonly language?: unknown };
}

/** Maximum number of files that are written at the same time. Each reads the store as fast as its client reads the file. */
const maxExports = 4;

const texts = {
  overloaded: {
    english: 'Too many files are being downloaded. Try again in a few seconds.',
    spanish: 'Se están descargando demasiados archivos. Inténtelo de nuevo en unos segundos.',
  },
  unavailable: {
    english: 'The ledger is unavailable. Try again later.',
    spanish: 'El libro de consumo no está disponible. Inténtelo de nuevo más tarde.',
  },
  unknownLink: {
    english: 'This link has expired or is invalid. Query `csvUrl` again to get a new one.',
    spanish: 'Este enlace ya venció o no es válido. Pida `csvUrl` de nuevo para obtener otro.',
  },
  tooManyEntries: {
    english: `There are more than ${maxCsvEntries} entries. Choose a shorter interval.`,
    spanish: `Hay más de ${maxCsvEntries} asientos. Elija un periodo más corto.`,
  },
} satisfies Readonly<Record<string, Text>>;

/** Serves the CSV file of a link to anyone who has the link. Only padron can create links. */
export function addLedgerCsv(http: FastifyInstance, csv: CsvExport): void {
  let running = 0;
  http.get<LinkRequest>(csvPath, { exposeHeadRoute: false }, async (request, reply) => {
    const language: Language = request.query.language === 'es' ? 'es' : 'en';
    if (running >= maxExports)
      return sendError(reply.header('retry-after', '5'), 503, say(texts.overloaded, language), 'OVERLOADED');
    running += 1;
    let isOpen = true;
    const finish = (): void => {
      if (isOpen) running -= 1;
      isOpen = false;
    };
    // The client may disconnect at any moment, even before the file is opened.
    reply.raw.once('close', finish);
    const file = await csv.open(request.query.link, language).catch((error: unknown) => {
      if (error instanceof StoreUnavailableError) return null;
      throw error;
    });
    if (file === null) return sendError(reply, 503, say(texts.unavailable, language), 'LEDGER_UNAVAILABLE');
    if ('refusal' in file)
      return file.refusal === 'unknown link'
        ? sendError(reply, 404, say(texts.unknownLink, language))
        : sendError(reply, 400, say(texts.tooManyEntries, language));
    return reply
      .type('text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="${file.name}"`)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-store')
      .send(Readable.from(file.chunks));
  });
}
