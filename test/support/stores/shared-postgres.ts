import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { openStore } from '../../../src/store/open-store';
import { onServer } from './postgres';
import { storeMigrations } from './store-migrations';

/** Owns the tables of the template, so that the role of each test may use and change its copies. */
const tablesOwner = 'padron_tables';
const template = 'padron_template';

/** Databases on a PostgreSQL for the tests of a `describe`. */
export interface Databases {
  create(kind: 'empty' | 'migrated'): Promise<string>;
  remove(): Promise<void>;
}

/** Makes a role for these databases on the PostgreSQL that global-setup.cjs started. */
export async function shareDatabases(): Promise<Databases> {
  const server = process.env.PADRON_POSTGRES;
  if (server === undefined) throw new Error('Only the projects `stores`, `long` and `rare` of jest have a PostgreSQL.');
  const role = newName();
  const databases: string[] = [];
  let strategy = '';
  await onServer(server, async (client) => {
    await makeTemplate(client, server);
    const { rows } = await client.query(
      `SELECT current_setting('server_version_num')::int >= 150000 AS has_strategies`,
    );
    // It takes half the time of the default, and earlier versions know no other.
    if (rows[0].has_strategies) strategy = 'STRATEGY file_copy';
    await client.query(`CREATE ROLE ${role} LOGIN IN ROLE ${tablesOwner}`);
  });
  return {
    create: async (kind) => {
      const name = newName();
      const source = kind === 'migrated' ? template : 'template1';
      await onServer(server, (client) =>
        client.query(`CREATE DATABASE ${name} OWNER ${role} TEMPLATE ${source} ${strategy}`),
      );
      databases.push(name);
      return addressOf(server, role, name);
    },
    // A database takes 8 MB until the server stops.
    remove: () =>
      onServer(server, async (client) => {
        for (const name of databases) await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
        await client.query(`DROP ROLE ${role}`);
      }),
  };
}

/** The first test makes the template, and the others wait for it. */
async function makeTemplate(client: Client, server: string): Promise<void> {
  await client.query('SELECT pg_advisory_lock(1)');
  try {
    const made = await client.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    if (made.rowCount !== 0) return;
    await client.query(`CREATE ROLE ${tablesOwner} LOGIN`);
    await client.query(`CREATE DATABASE unfinished OWNER ${tablesOwner}`);
    const url = addressOf(server, tablesOwner, 'unfinished');
    await (await openStore({ kind: 'postgres', url }, storeMigrations)).close();
    await client.query(`ALTER DATABASE unfinished RENAME TO ${template}`);
  } finally {
    await client.query('SELECT pg_advisory_unlock(1)');
  }
}

const newName = (): string => `padron_${randomUUID().replaceAll('-', '')}`;

function addressOf(server: string, role: string, database: string): string {
  const url = new URL(server);
  url.username = role;
  url.pathname = database;
  return url.href;
}
