import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApolloClient, OperationVariables, TypedDocumentNode } from '@apollo/client';
import type { AnyVariables, Client } from '@urql/core';
import { buildASTSchema, isInterfaceType, isObjectType, parse } from 'graphql';
import { typePolicies } from '../../schema/client/apollo-cache';
import { PersonProfileDocument, SignatureCheckDocument } from '../../schema/client/generated/graphql';
import { possibleTypes } from '../../schema/client/possible-types';
import { keys } from '../../schema/client/urql-cache';
import { employers } from '../../src/extensions/sandbox/data/employers';
import { findOrThrow } from '../support/find-or-throw';
import { base64Input, credentialOf } from '../support/keys/signatures';
import {
  badge,
  card,
  debtor,
  employerCard,
  namelessBadge,
  namelessCard,
} from '../support/operations/person-components';
import { padronForTests } from '../support/padrons/padron-for-tests';
import { apolloClient, networkForTests, urqlClient } from './clients';
import { type TypedClient, throughApollo, throughUrql } from './typed-client';

const sdl = readFileSync(join(__dirname, '../../schema/padron.graphql'), 'utf8');
const schema = buildASTSchema(parse(sdl), { assumeValidSDL: true });
const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const answers = types.filter(isObjectType).filter(({ name }) => !['Query', 'Mutation'].includes(name));
const keyed = answers.filter(({ name, astNode }) => {
  return name === 'RegistryEndpoint' || astNode?.directives?.some((directive) => directive.name.value === 'key');
});

describe('the settings for client caches', () => {
  it('know what implements each interface', () => {
    const implementors = types
      .filter(isInterfaceType)
      .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)] as const);
    const sorted = implementors.map(([name, names]) => [name, [...names].sort()]);
    expect(Object.fromEntries(sorted)).toEqual(possibleTypes);
  });

  it('speak of every type in urql, so that it neither guesses a key nor warns', () => {
    const configured = answers.filter(({ name }) => name in keys);
    expect(answers.map(({ name }) => name)).toEqual(configured.map(({ name }) => name));
    expect(Object.keys(keys).sort()).toEqual(answers.map(({ name }) => name).sort());
  });

  it('keep only entities and prices apart in urql', () => {
    const data = { __typename: 'x', id: '1', nss: '1', curp: '1', registration: '1', endpoint: '1' };
    const apart = answers.filter(({ name }) => keys[name]?.(data) !== null);
    expect(apart.map(({ name }) => name).sort()).toEqual(keyed.map(({ name }) => name).sort());
  });

  it('embed in Apollo Client every type whose id would make it an entity', () => {
    const byId = answers.filter((type) => 'id' in type.getFields() && !keyed.includes(type)).map(({ name }) => name);
    expect(byId.filter((name) => typePolicies[name]?.keyFields !== false)).toEqual([]);
  });

  it('merge every lookup in Apollo Client', () => {
    const merging = possibleTypes.RegistryLookup.filter((name) => typeof typePolicies[name]?.merge === 'function');
    expect(merging).toEqual(possibleTypes.RegistryLookup);
  });
});

const { nss } = debtor;
const { registration } = findOrThrow(employers, () => true);
const dashed = `${registration.slice(0, 3)}-${registration.slice(3, 8)}-${registration.slice(8, 10)}-${registration.slice(10)}`;

const padron = padronForTests();
/** padron without replay, so that every repeated request is charged. */
const forgetful = padronForTests({ environment: { REPLAY_SECONDS: '0' } });

const network = networkForTests();
const mounted: (() => void)[] = [];
afterEach(async () => {
  for (const unmount of mounted.splice(0)) unmount();
  await network.quiet();
});

/** A client whose components show the data of a query. */
interface PageClient extends TypedClient {
  /** Mounts a component. Returns a function that reads what it shows. */
  mount<Data, Variables extends OperationVariables>(
    query: TypedDocumentNode<Data, Variables>,
    variables: Variables,
  ): () => Data | undefined;
}

function inApollo(client: ApolloClient): PageClient {
  return {
    ...throughApollo(client),
    mount: <Data, Variables extends OperationVariables>(
      query: TypedDocumentNode<Data, Variables>,
      variables: OperationVariables,
    ) => {
      let shown: Data | undefined;
      const subscription = client.watchQuery<Data>({ query, variables }).subscribe((result) => {
        shown = result.dataState === 'complete' ? (result.data as Data) : undefined;
      });
      mounted.push(() => subscription.unsubscribe());
      return () => shown;
    },
  };
}

function inUrql(client: Client): PageClient {
  return {
    ...throughUrql(client),
    mount: <Data, Variables extends AnyVariables>(
      document: TypedDocumentNode<Data, Variables>,
      variables: Variables,
    ) => {
      let shown: Data | undefined;
      const { unsubscribe } = client.query(document, variables).subscribe((result) => {
        shown = result.data;
      });
      mounted.push(unsubscribe);
      return () => shown;
    },
  };
}

const checkSignature = async (client: PageClient): Promise<void> => {
  const { verifySignature } = await client.mutate(SignatureCheckDocument, {
    input: base64Input(credentialOf('person')),
  });
  expect(verifySignature?.outcome).toBe('FOUND');
};

describe.each([
  [
    'Apollo Client',
    () => inApollo(apolloClient(padron.url, network)),
    () => inApollo(apolloClient(forgetful.url, network, { watchQuery: {} })),
  ],
  ['urql', () => inUrql(urqlClient(padron.url, network)), () => inUrql(urqlClient(forgetful.url, network))],
])('two components with the settings for %s', (_name, connect, connectToForgetful) => {
  it('send one request for one person', async () => {
    const client = connect();
    const both = [client.mount(PersonProfileDocument, { nss }), client.mount(PersonProfileDocument, { nss })];
    await network.quiet();
    expect(both.map((shown) => shown()?.person?.credit?.outcome)).toEqual(['FOUND', 'FOUND']);
    expect(network.sent).toEqual(['PersonProfile']);
  });

  it('send no request for data that the page has loaded already', async () => {
    const client = connect();
    client.mount(PersonProfileDocument, { nss });
    await network.quiet();
    padron.calls();
    const later = client.mount(badge, { nss });
    await network.quiet();
    expect(later()?.person?.credit?.record?.hasCredit).toBe(true);
    expect([network.sent, padron.calls()]).toEqual([['PersonProfile'], []]);
  });

  it.each([
    ['with their identifier selected', badge, card],
    ['without an identifier', namelessBadge, namelessCard],
  ])('keep fields that the other did not ask for, %s', async (_case, badgeQuery, cardQuery) => {
    const client = connectToForgetful();
    const components = [client.mount(badgeQuery, { nss }), client.mount(cardQuery, { nss })] as const;
    await network.quiet(20);
    expect(components[0]()?.person?.credit?.record).toMatchObject({ hasCredit: true });
    expect(components[1]()?.person?.credit?.record).toMatchObject({ situation: expect.any(String) });
    expect(network.sent.length).toBe(2);
  });

  it('find an employer that was loaded in another notation', async () => {
    const client = connect();
    await client.query(employerCard, { registration: dashed });
    const { employer } = await client.query(employerCard, { registration });
    expect(employer?.snapshots?.outcome).toBe('FOUND');
    expect(network.sent.length).toBe(1);
  });

  it('send no request after a signature check', async () => {
    const client = connect();
    client.mount(PersonProfileDocument, { nss });
    await network.quiet();
    await checkSignature(client);
    await network.quiet();
    expect(network.sent).toEqual(['PersonProfile', 'SignatureCheck']);
  });
});

describe('two components with the settings for Apollo Client and an old answer in the cache', () => {
  function connectWithOldAnswer(...settings: Parameters<typeof apolloClient>): PageClient {
    const client = apolloClient(...settings);
    const evidence = { __typename: 'RegistryEvidence', validationCode: 'OLD', checkedAt: '2026-01-01T15:00:00.000Z' };
    const record = { __typename: 'HousingCredit', hasCredit: false };
    const credit = { __typename: 'HousingCreditLookup', outcome: 'FOUND' as const, evidence, record };
    const person = { __typename: 'Person', nss, credit };
    client.writeQuery({ query: badge, variables: { nss }, data: { person } });
    return inApollo(client);
  }

  it('never show the proof of a later answer with data of an earlier one, and do not pay again', async () => {
    const client = connectWithOldAnswer(padron.url, network);
    const restored = client.mount(badge, { nss });
    const late = client.mount(card, { nss });
    await network.quiet();
    expect(late()?.person?.credit?.outcome).toBe('FOUND');
    expect(restored()).toBeUndefined();
    expect(network.sent).toEqual(['Card']);
  });

  it('send one more request, and not alternately, if a component may refetch automatically', async () => {
    const client = connectWithOldAnswer(forgetful.url, network, { watchQuery: {} });
    const components = [client.mount(badge, { nss }), client.mount(card, { nss })];
    await network.quiet(20);
    expect(components.map((shown) => shown()?.person?.credit?.outcome)).toEqual(['FOUND', 'FOUND']);
    expect(network.sent).toEqual(['Card', 'Badge']);
  });
});
