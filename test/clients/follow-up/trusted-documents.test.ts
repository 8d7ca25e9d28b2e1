import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'graphql';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { type ProxiedPadron, runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { waitUntil } from '../../support/proxies/deferred';
import { holdResponses } from '../../support/proxies/held-responses';
import { networkForTests, publish } from '../clients';
import { pageClients } from '../lookups-page';

const { nss } = findOrThrow(
  people,
  ({ credit, account, licences }) => credit !== null && credit !== '' && account !== null && licences.length === 1,
);
const variables = { nss };
const profileCalls = ['POST /api/infonavit/grupo/buscar-credito', 'POST /api/infonavit/grupo/obtener-cuenta'];

const example = readFileSync(join(__dirname, '../../../schema/examples/person-profile.graphql'), 'utf8');
const { text, hash, document } = publish(example);
const folder = mkdtempSync(join(tmpdir(), 'padron-retry-'));
const TRUSTED_DOCUMENTS = join(folder, 'documents.json');
writeFileSync(TRUSTED_DOCUMENTS, JSON.stringify({ [hash]: text }));
afterAll(() => rmSync(folder, { recursive: true }));

const network = networkForTests();
let padron: ProxiedPadron;
let mounted: AbortController;
const start = async (settings: Readonly<Record<string, string>> = {}): Promise<void> => {
  mounted = new AbortController();
  padron = await runPadronBehindProxy({ REPLAY_SECONDS: '60', TRUSTED_DOCUMENTS, ...settings });
};
afterEach(async () => {
  mounted.abort();
  await padron.stop();
});

const sentDocuments = pageClients.flatMap(([client, open]) => [
  { client, form: 'the text', open: () => open(padron.url, network, parse(example), variables) },
  { client, form: 'the hash', open: () => open(padron.url, network, document, variables, { hashes: true }) },
]);

describe.each(sentDocuments)('retryFailed of a trusted document, with $form in $client', ({ open }) => {
  it('sends it again for lookups that are still running or wait for one, and pays for each once', async () => {
    await start({ ANSWER_WITHIN: '300ms' });
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const component = open();
    await component.ask();
    const retried = component.retry(mounted);
    await waitUntil(() => padron.callsInFull().length === profileCalls.length);
    expect(padron.calls().toSorted()).toEqual(profileCalls);
    held.release();
    expect(await retried).toBe('complete');
    expect(outcomes(component.shown())).toEqual(Array(5).fill('FOUND'));
    expect(padron.calls()).toHaveLength(3);
    expect(new Set(network.bodies).size).toBe(1);
    expect(padron.log.join()).not.toContain('is not a trusted document');
  });
});

function outcomes({ person }: { readonly person: Readonly<Record<string, { readonly outcome?: string }>> }) {
  return Object.values(person).flatMap(({ outcome }) => (outcome === undefined ? [] : [outcome]));
}
