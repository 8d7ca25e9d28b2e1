// @ts-check
// How PGlite is opened: with small buffers, and from a template, since making a new database takes seconds.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const packageFile = join(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')), '..', 'package.json');
/** @type {string} */
const version = JSON.parse(await readFile(packageFile, 'utf8')).version;

/** What the build has made; without a build it is made once for a checkout. */
const templateName = `template-${version}.tgz`;
const cache = join(here, '../../../node_modules/.cache/padron');
/** Says by what a folder was made. */
const markerName = 'padron.json';

const memory = { shared_buffers: '8MB', wal_buffers: '256kB', work_mem: '2MB', maintenance_work_mem: '8MB' };
const startParams = [
  ...PGlite.defaultStartParams,
  ...Object.entries({ ...memory, max_connections: '3' }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
];

/** @param {string} text */
const asText = (text) => text;
/** The same values as PostgreSQL's client gives: int8, numeric, date, timestamp. */
const parsers = { 20: Number, 1700: Number, 1082: asText, 1114: asText };

/** @param {string | null} folder */
export async function openDatabase(folder) {
  if (folder !== null) return PGlite.create({ dataDir: folder, startParams, parsers });
  return PGlite.create({ loadDataDir: new Blob([await readTemplate()]), startParams, parsers });
}

/**
 * Makes a data folder where there is none; one that was left unfinished counts as none.
 * @param {string} folder
 */
export async function createFolder(folder) {
  if (existsSync(folder)) return refuseForeignFolder(folder);
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(dirname(folder), { recursive: true });
  // In a process of its own: what it takes, some 150 MB, this one would keep.
  const program = fileURLToPath(new URL('./unpack-template.mjs', import.meta.url));
  await run(process.execPath, [program, unfinished], { env: {} }).catch(
    (/** @type {{ stderr: string }} */ { stderr }) => {
      throw Object.assign(new Error('The data folder could not be made.'), { code: stderr });
    },
  );
  await writeFile(join(unfinished, markerName), JSON.stringify({ pglite: version }));
  await rename(unfinished, folder);
}

/** @param {string} folder */
export async function unpackTemplate(folder) {
  const database = await PGlite.create({
    dataDir: folder,
    loadDataDir: new Blob([await readTemplate()]),
    startParams,
  });
  await database.close();
}

/** @param {string} folder */
async function refuseForeignFolder(folder) {
  const marker = await readFile(join(folder, markerName), 'utf8').catch(() => null);
  if (marker === null) throw refused(`${folder} exists, and is no data folder of padron.`);
  /** @type {string} */
  const made = JSON.parse(marker).pglite;
  if (made === version) return;
  const major = (await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => '?')).trim();
  throw refused(
    `${folder} was made by PGlite ${made} (PostgreSQL ${major}), and this padron has PGlite ${version}: start the padron that made it.`,
  );
}

/** @param {string} message */
const refused = (message) => Object.assign(new Error(message), { code: 'REFUSED' });

async function readTemplate() {
  return makeTemplate(existsSync(join(here, templateName)) ? here : cache);
}

/**
 * Gives the template of a folder, and makes it where it is not there. Those who do so at once each make one of their own, and the
 * last one stays.
 * @param {string} folder
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function makeTemplate(folder = cache) {
  const file = join(folder, templateName);
  if (existsSync(file)) return new Uint8Array(await readFile(file));
  const database = await PGlite.create({ startParams });
  const dump = await database.dumpDataDir('gzip');
  await database.close();
  const bytes = new Uint8Array(await dump.arrayBuffer());
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(`${file}.${process.pid}`, bytes);
    await rename(`${file}.${process.pid}`, file);
  } catch {
    // A folder that cannot be written to costs the next start its time, and no more.
  }
  return bytes;
}
