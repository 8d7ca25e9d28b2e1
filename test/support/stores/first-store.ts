import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { JWT_SECRET, signedBySecret } from '../keys/identity-provider';
import { BatchClient } from '../requests/batches';
import { onServer } from './postgres';

/** The store of version 1 as a plain dump, made by `npm run print:store`. After the first release it never changes. */
export const firstStoreFile = join(__dirname, '../../fixtures/store-001.sql');

const [asked, ...others] = people.filter(({ credit }) => Boolean(credit)).map(({ nss }) => nss);

/** People with a credit: one was asked about in a request, and two in a batch. */
export const firstStorePeople = { asked: asked ?? '', ofBatch: others.slice(0, 2) };

/** Settings of the process that wrote it. Accounts have names by the keys and the service, here the embedded sandbox. */
export const firstStoreSettings = {
  REGISTRY_URL: '',
  REGISTRY_TOKEN: SANDBOX_TOKEN,
  DATA_KEYS: '0123456789abcdef'.repeat(3),
  JWT_SECRET,
  PURPOSES: 'hiring',
};

const scope = 'use_buscar_credito padron_batch padron_budgets padron_ledger padron_proofs';

/** Its only caller, as a client of padron with these headers. */
export const firstStoreClient = (padron: { readonly url: string }, headers: Readonly<Record<string, string>> = {}) =>
  new BatchClient(padron, signedBySecret(JWT_SECRET, { client_id: 'finance', scope }), headers);

/** Labels of its only request. */
export const firstStoreHeaders = { 'x-tag': 'north', 'x-purpose': 'hiring', 'x-reference': 'file 17' };

export const restoreFirstStore = (url: string): Promise<void> =>
  onServer(url, (client) => client.query(readFileSync(firstStoreFile, 'utf8')));
