import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { CsvExport } from '../ledger/csv-export';
import { maxCsvEntries } from '../ledger/csv-export';
import { StoreUnavailableError } from '../store/store';
import { sendError } from './http/http-error';

export const csvPath = '/graphql/ledger.csv';

/** Maximum number of files that are written at the same time. Each reads the store as fast as its client reads the file. */
const maxExports = 4;

/** Serves the CSV file of a link to anyone who has the link. Only padron can create links. */
export function addLedgerCsv(http: FastifyInstance, csv: CsvExport): void {
  let running = 0;
  http.get<{ Querystring: { link?: unknown } }>(csvPath, { exposeHeadRoute: false }, async (request, reply) => {
    if (running >= maxExports)
      return sendError(
        reply.header('retry-after', '5'),
        503,
        'Too many files are being downloaded. Try again in a few seconds.',
        'OVERLOADED',
      );
    running += 1;
    let isOpen = true;
    const finish = (): void => {
      if (isOpen) running -= 1;
      isOpen = false;
    };
    // The client may disconnect at any moment, even before the file is opened.
    reply.raw.once('close', finish);
    const file = await csv.open(request.query.link).catch((error: unknown) => {
      if (error instanceof StoreUnavailableError) return null;
      throw error;
    });
    if (file === null)
      return sendError(reply, 503, 'The ledger is unavailable. Try again later.', 'LEDGER_UNAVAILABLE');
    if ('refusal' in file)
      return file.refusal === 'unknown link'
        ? sendError(reply, 404, 'This link has expired or is invalid. Query `csvUrl` again to get a new one.')
        : sendError(reply, 400, `There are more than ${maxCsvEntries} entries. Choose a shorter interval.`);
    return reply
      .type('text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="${file.name}"`)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-store')
      .send(Readable.from(file.chunks));
  });
}
