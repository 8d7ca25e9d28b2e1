import type { ApolloClient, OperationVariables, TypedDocumentNode } from '@apollo/client';
import { PersonProfileDocument } from '../../schema/client/generated/graphql';
import { employers } from '../../src/sandbox/data/employers';
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
import { apolloClient, apolloSettings, networkForTests } from './clients';

const { nss } = debtor;
const asApolloComes = {};

/** A mounted component: what it shows now. */
interface Component<Data> {
  shown(): Data | undefined;
}

const padron = padronForTests();
/** Where every answer is bought anew: replay forgives a client that asks again, for a while. */
const forgetful = padronForTests({ environment: { REPLAY_SECONDS: '0' } });

const network = networkForTests();
const mounted: (() => void)[] = [];
afterEach(async () => {
  for (const unmount of mounted.splice(0)) unmount();
  await network.quiet();
});

function mount<Data, Variables extends OperationVariables>(
  client: ApolloClient,
  query: TypedDocumentNode<Data, Variables>,
  variables: OperationVariables,
): Component<Data> {
  const observed = client.watchQuery<Data>({ query, variables });
  let shown: Data | undefined;
  const subscription = observed.subscribe((result) => {
    shown = result.dataState === 'complete' ? (result.data as Data) : undefined;
  });
  mounted.push(() => subscription.unsubscribe());
  return { shown: () => shown };
}

describe('two components with the settings for Apollo Client', () => {
  it('send one request for one person', async () => {
    const client = apolloClient(padron.url, network);
    const both = [mount(client, PersonProfileDocument, { nss }), mount(client, PersonProfileDocument, { nss })];
    await network.quiet();
    expect(both.map(({ shown }) => shown()?.person?.credit?.outcome)).toEqual(['FOUND', 'FOUND']);
    expect(network.sent).toEqual(['PersonProfile']);
  });

  it('send none for what the page has loaded already', async () => {
    const client = apolloClient(padron.url, network);
    mount(client, PersonProfileDocument, { nss });
    await network.quiet();
    padron.calls();
    const later = mount(client, badge, { nss });
    await network.quiet();
    expect(later.shown()?.person?.credit?.record?.hasCredit).toBe(true);
    expect([network.sent, padron.calls()]).toEqual([['PersonProfile'], []]);
  });

  it.each([
    ['their identifier selected', badge, card],
    ['no identifier selected', namelessBadge, namelessCard],
  ])('keep each what the other did not ask for, with %s', async (_case, badgeQuery, cardQuery) => {
    const client = apolloClient(forgetful.url, network, apolloSettings, {});
    const components = [mount(client, badgeQuery, { nss }), mount(client, cardQuery, { nss })] as const;
    await network.quiet(20);
    expect(components[0].shown()?.person?.credit?.record).toMatchObject({ hasCredit: true });
    expect(components[1].shown()?.person?.credit?.record).toMatchObject({ situation: expect.any(String) });
    expect(network.sent.length).toBe(2);
  });

  it('find an employer again that was asked for in another notation', async () => {
    const client = apolloClient(padron.url, network);
    const { registration } = findOrThrow(employers, () => true);
    const dashed = `${registration.slice(0, 3)}-${registration.slice(3, 8)}-${registration.slice(8, 10)}-${registration.slice(10)}`;
    await client.query({ query: employerCard, variables: { registration: dashed } });
    const { data } = await client.query({ query: employerCard, variables: { registration } });
    expect(data?.employer?.snapshots?.outcome).toBe('FOUND');
    expect(network.sent.length).toBe(1);
  });

  it('never show the proof of a later answer beside data of an earlier one, nor buy again for it', async () => {
    const client = apolloClient(padron.url, network);
    keepFromTheMorning(client);
    const restored = mount(client, badge, { nss });
    const late = mount(client, card, { nss });
    await network.quiet();
    expect(late.shown()?.person?.credit?.outcome).toBe('FOUND');
    expect(restored.shown()).toBeUndefined();
    expect(network.sent).toEqual(['Card']);
  });

  it('ask once more, and not by turns, where a component may ask again by itself', async () => {
    const client = apolloClient(forgetful.url, network, apolloSettings, {});
    keepFromTheMorning(client);
    const components = [mount(client, badge, { nss }), mount(client, card, { nss })];
    await network.quiet(20);
    expect(components.map(({ shown }) => shown()?.person?.credit?.outcome)).toEqual(['FOUND', 'FOUND']);
    expect(network.sent).toEqual(['Card', 'Badge']);
  });
});

/** What a cache that was kept over the day still holds. */
function keepFromTheMorning(client: ApolloClient): void {
  const evidence = { __typename: 'RegistryEvidence', validationCode: 'MORNING', checkedAt: '2026-01-01T15:00:00.000Z' };
  const record = { __typename: 'HousingCredit', hasCredit: false };
  const credit = { __typename: 'HousingCreditLookup', outcome: 'FOUND' as const, evidence, record };
  const person = { __typename: 'Person', nss, credit };
  client.writeQuery({ query: badge, variables: { nss }, data: { person } });
}

describe('two components without the settings', () => {
  it('ask for one credit by turns', async () => {
    const client = apolloClient(padron.url, network, asApolloComes, {});
    mount(client, badge, { nss });
    mount(client, card, { nss });
    await network.quiet(12);
    expect(network.sent.length).toBeGreaterThan(2);
  });

  it('buy it by turns without end where answers are not replayed', async () => {
    const client = apolloClient(forgetful.url, network, asApolloComes, {});
    mount(client, badge, { nss });
    mount(client, card, { nss });
    forgetful.calls();
    await network.quiet(12);
    expect(network.sent.length).toBeGreaterThanOrEqual(12);
    expect(forgetful.calls().length).toBeGreaterThan(6);
  });

  it('lose what a fragment on the interface selects', async () => {
    const client = apolloClient(padron.url, network, asApolloComes);
    const profile = mount(client, PersonProfileDocument, { nss });
    await network.quiet();
    expect(profile.shown()?.person?.credit).not.toHaveProperty('outcome');
  });
});
