// @ts-check
// Opens PGlite with small buffers. New databases are unpacked from a template, because making one takes seconds.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { extract, list } from 'tar';

const here = dirname(fileURLToPath(import.meta.url));
const packageFile = join(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')), '..', 'package.json');
/** @type {string} */
const version = JSON.parse(await readFile(packageFile, 'utf8')).version;

/** File name of the template. The build makes it; without a build it is made once for each checkout. */
const templateName = `template-${version}.tgz`;
const cache = join(here, '../../../node_modules/.cache/padron');
/** Name of the file that records which version of PGlite made a folder. */
const markerName = 'padron.json';

const memory = { shared_buffers: '8MB', wal_buffers: '256kB', work_mem: '2MB', maintenance_work_mem: '8MB' };
const startParams = [
  ...PGlite.defaultStartParams,
  ...Object.entries({ ...memory, max_connections: '3' }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
];

/** @param {string} text */
const asText = (text) => text;
/** Parsers of int8, numeric, date and timestamp that return the same values as the PostgreSQL client. */
const parsers = { 20: Number, 1700: Number, 1082: asText, 1114: asText };

/** @param {string | null} folder */
export async function openDatabase(folder) {
  if (folder !== null) return PGlite.create({ dataDir: folder, startParams, parsers });
  // PGlite unpacks gzip itself, but takes three times as long.
  const template = new Blob([gunzipSync(await readTemplate())], { type: 'application/x-tar' });
  /** @type {import('@electric-sql/pglite').PGliteOptions} */
  const options = { loadDataDir: template, startParams, parsers };
  const database = await PGlite.create(options);
  // PGlite keeps its options, and with them the 40 MB of the template.
  delete options.loadDataDir;
  return database;
}

/**
 * Makes a data folder if none exists. An unfinished folder is made again.
 * @param {string} folder
 */
export async function createFolder(folder) {
  if (existsSync(folder)) return checkVersion(folder);
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const unpacked = extract({ cwd: unfinished });
  unpacked.end(Buffer.from(await readTemplate()));
  await once(unpacked, 'close');
  await writeFile(join(unfinished, markerName), JSON.stringify({ pglite: version }));
  await rename(unfinished, folder);
}

/** @param {string} folder */
async function checkVersion(folder) {
  const marker = await readFile(join(folder, markerName), 'utf8').catch(() => null);
  if (marker === null)
    throw unusable(`${folder} exists but is not a data folder of padron. Set DATA_DIR to another folder.`);
  /** @type {string} */
  const made = JSON.parse(marker).pglite;
  if (made === version) return;
  const major = (await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => '?')).trim();
  if (minorOf(made) === minorOf(version) && major === (await readMajor())) return;
  throw unusable(
    `${folder} was made by PGlite ${made} (PostgreSQL ${major}), but this version of padron uses PGlite ${version}. Start the version of padron that made the folder, or set DATA_DIR to another folder.`,
  );
}

/** @param {string} release */
const minorOf = (release) => release.replace(/\.\d+$/, '');

/** Returns the major version of PostgreSQL whose folders this PGlite opens. */
async function readMajor() {
  let major = '';
  const listed = list({
    onReadEntry: (entry) => {
      if (/^[./]*PG_VERSION$/.test(entry.path)) entry.on('data', (bytes) => (major += bytes));
    },
  });
  const ended = once(listed, 'end');
  listed.end(Buffer.from(await readTemplate()));
  await ended;
  return major.trim();
}

/** @param {string} message */
const unusable = (message) => Object.assign(new Error(message), { code: 'UNUSABLE' });

async function readTemplate() {
  return makeTemplate(existsSync(join(here, templateName)) ? here : cache);
}

/**
 * Returns the template of a folder, and makes it first if it does not exist. If several processes make it at the same time, the last
 * one to finish replaces the others' file.
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
    // If the folder is not writable, the next start makes the template again.
  }
  return bytes;
}
