// @ts-check
// Runs PGlite in a separate thread, because it blocks the thread that it runs in. This file is plain JavaScript so that tests,
// `npm run dev` and the build can all start the thread from it.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { createFolder, openDatabase } from './database.mjs';

/** @typedef {{ readonly id: number } & ({ readonly kind: 'query', readonly sql: string, readonly parameters: readonly unknown[] } | { readonly kind: 'script', readonly sql: string } | { readonly kind: 'close' })} Request */

const byteaType = 17;
/** @type {{ readonly folder: string | null }} */
const { folder } = workerData;

// A store in memory serves trials. Without the optimizing compiler of WebAssembly it opens in half the time and takes 80 MB less, and its
// statements take longer. The flag is one of the process, which has no other large module.
if (folder === null) setFlagsFromString('--liftoff-only');

try {
  if (folder !== null) await createFolder(folder);
  const database = await openDatabase(folder);
  if (folder === null) collectGarbage();
  parentPort?.on('message', async (/** @type {Request} */ request) => {
    parentPort?.postMessage({ id: request.id, ...(await run(database, request)) });
    if (request.kind === 'close') parentPort?.close();
  });
  parentPort?.postMessage({ id: 0, rows: [], byteColumns: [] });
} catch (error) {
  const { message, code } = toPlain(error);
  const isUnusable = code === 'UNUSABLE';
  parentPort?.postMessage({
    id: 0,
    error: { message: isUnusable ? message : code, code: isUnusable ? code : 'UNOPENED' },
  });
  parentPort?.close();
}

/** Collects what opening has left, 40 MB: a thread at rest does not do it. */
function collectGarbage() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

/**
 * @param {import('@electric-sql/pglite').PGlite} database
 * @param {Request} request
 */
async function run(database, request) {
  try {
    if (request.kind === 'close') await database.close();
    else if (request.kind === 'script') await database.exec(request.sql);
    else {
      const { rows, fields } = await database.query(request.sql, [...request.parameters]);
      return { rows, byteColumns: fields.filter(({ dataTypeID }) => dataTypeID === byteaType).map(({ name }) => name) };
    }
    return { rows: [], byteColumns: [] };
  } catch (error) {
    return { error: toPlain(error) };
  }
}

/** @param {unknown} error */
function toPlain(error) {
  const { message, code } = /** @type {{ message?: unknown, code?: unknown }} */ (error ?? {});
  return { message: String(message ?? error), code: String(code ?? '') };
}
