import { type AnyVariables, Client, cacheExchange, fetchExchange, type TypedDocumentNode } from '@urql/core';
import { cacheExchange as graphcache } from '@urql/exchange-graphcache';
import { PersonProfileDocument, SignatureCheckDocument } from '../../schema/client/generated/graphql';
import { SANDBOX_TOKEN } from '../../src/sandbox/accounts/accounts';
import { employers } from '../../src/sandbox/data/employers';
import { sandboxCredentials } from '../../src/sandbox/efirma/credentials';
import { findOrThrow } from '../support/find-or-throw';
import {
  badge,
  card,
  debtor,
  employerCard,
  namelessBadge,
  namelessCard,
} from '../support/operations/person-components';
import { padronForTests } from '../support/padrons/padron-for-tests';
import { networkForTests, urqlClient } from './clients';

const { nss } = debtor;

const padron = padronForTests();

const network = networkForTests();
const mounted: (() => void)[] = [];
afterEach(async () => {
  for (const unmount of mounted.splice(0)) unmount();
  await network.quiet();
});

/** A mounted component; answers what it shows now. */
function mount<Data, Variables extends AnyVariables>(
  client: Client,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): () => Data | undefined {
  let shown: Data | undefined;
  const { unsubscribe } = client.query(document, variables).subscribe((result) => {
    shown = result.data;
  });
  mounted.push(unsubscribe);
  return () => shown;
}

async function checkSignature(client: Client): Promise<void> {
  const { rfc, password, certificate, privateKey } = findOrThrow(sandboxCredentials, ({ name }) => name === 'person');
  const input = {
    rfc,
    password,
    certificate: { base64: certificate.toString('base64') },
    privateKey: { base64: privateKey.toString('base64') },
  };
  const { data } = await client.mutation(SignatureCheckDocument, { input }).toPromise();
  expect(data?.verifySignature?.outcome).toBe('FOUND');
}

describe('two components with the settings for urql', () => {
  it('send one request for one person', async () => {
    const client = urqlClient(padron.url, network);
    const both = [mount(client, PersonProfileDocument, { nss }), mount(client, PersonProfileDocument, { nss })];
    await network.quiet();
    expect(both.map((shown) => shown()?.person?.credit?.outcome)).toEqual(['FOUND', 'FOUND']);
    expect(network.sent).toEqual(['PersonProfile']);
  });

  it('send none for what the page has loaded already', async () => {
    const client = urqlClient(padron.url, network);
    mount(client, PersonProfileDocument, { nss });
    await network.quiet();
    padron.calls();
    const later = mount(client, badge, { nss });
    await network.quiet();
    expect(later()?.person?.credit?.record?.hasCredit).toBe(true);
    expect([network.sent, padron.calls()]).toEqual([['PersonProfile'], []]);
  });

  it.each([
    ['their identifier selected', badge, card],
    ['no identifier selected', namelessBadge, namelessCard],
  ])('keep each what the other did not ask for, with %s', async (_case, badgeQuery, cardQuery) => {
    const client = urqlClient(padron.url, network);
    const components = [mount(client, badgeQuery, { nss }), mount(client, cardQuery, { nss })] as const;
    await network.quiet();
    expect(components[0]()?.person?.credit?.record).toMatchObject({ hasCredit: true });
    expect(components[1]()?.person?.credit?.record).toMatchObject({ situation: expect.any(String) });
    expect(network.sent.length).toBe(2);
  });

  it('find an employer again that was asked for in another notation', async () => {
    const client = urqlClient(padron.url, network);
    const { registration } = findOrThrow(employers, () => true);
    await client.query(employerCard, { registration: `${registration.slice(0, 10)}-${registration.slice(10)}` });
    const again = await client.query(employerCard, { registration });
    expect(again.data?.employer?.snapshots?.outcome).toBe('FOUND');
    expect(network.sent.length).toBe(1);
  });

  it('ask nothing again after a signature check', async () => {
    const client = urqlClient(padron.url, network);
    mount(client, PersonProfileDocument, { nss });
    await network.quiet();
    await checkSignature(client);
    await network.quiet();
    expect(network.sent).toEqual(['PersonProfile', 'SignatureCheck']);
  });
});

describe('components without the settings', () => {
  it('are refused by GET, at no price', async () => {
    const headers = { authorization: `Bearer ${SANDBOX_TOKEN}`, 'apollo-require-preflight': 'true' };
    const client = new Client({ url: padron.url, fetch, fetchOptions: { headers }, exchanges: [fetchExchange] });
    const { data, error } = await client.query(badge, { nss }).toPromise();
    expect([data?.person ?? null, error?.response?.status]).toEqual([null, 405]);
    expect(padron.calls()).toEqual([]);
  });

  it("fetch a person again after a signature check, in urql's document cache", async () => {
    const client = urqlClient(padron.url, network, cacheExchange);
    mount(client, PersonProfileDocument, { nss });
    await network.quiet();
    await checkSignature(client);
    await network.quiet(3);
    expect(network.sent).toEqual(['PersonProfile', 'SignatureCheck', 'PersonProfile']);
  });

  it('fetch an employer again that is asked for in another notation, in a bare graphcache', async () => {
    const client = urqlClient(padron.url, network, graphcache({ logger: () => undefined }));
    const { registration } = findOrThrow(employers, () => true);
    await client.query(employerCard, { registration: `${registration.slice(0, 10)}-${registration.slice(10)}` });
    await client.query(employerCard, { registration });
    expect(network.sent.length).toBe(2);
  });
});
