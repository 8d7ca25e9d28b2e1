import { OTHER_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../support/find-or-throw';
import { ledgerPadronForTests } from '../support/padrons/padron-for-tests';
import { engineRig } from '../support/stores/engines';
import { compose, servedSdl } from './supergraph';

const { nss } = findOrThrow(people, ({ credit }) => credit !== null && credit !== '');

/** A subgraph that stores a ledger entry as the proof of each decision. */
const decisions = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
  type Query { decisions: [Decision!] }
  type Decision @key(fields: "id") { id: ID! proof: RegistryLedgerEntry budget: RegistryBudget }
  type RegistryLedgerEntry @key(fields: "id", resolvable: false) { id: ID! }
  type RegistryBudget @key(fields: "id", resolvable: false) { id: ID! }
`;

describe('the ledger behind a router', () => {
  const rig = engineRig();
  const padron = ledgerPadronForTests(rig);

  it('composes with a subgraph that refers to its entries and budgets', async () => {
    const own = { name: 'padron', url: padron.url, sdl: await servedSdl(padron.url) };
    const { supergraph, errors, hints } = compose([
      own,
      { name: 'decisions', url: 'http://decisions', sdl: decisions },
    ]);
    expect({ errors, hints }).toEqual({ errors: [], hints: [] });
    expect(supergraph).toMatch(
      /type RegistryLedgerEntry\s+@join__type\(graph: DECISIONS, key: "id", resolvable: false\)/,
    );
  });

  it('resolves references only within the account', async () => {
    const { data: asked } = await padron.ask(`{ person(nss: "${nss}") { credit { evidence { ledgerId } } } }`);
    const { ledgerId } = asked.person.credit.evidence;
    const query = `query ($r: [_Any!]!) { _entities(representations: $r) {
      ... on RegistryLedgerEntry { id evidence { endpoint units } } ... on RegistryBudget { id } ... on Person { nss } } }`;
    const r = [
      { __typename: 'RegistryLedgerEntry', id: ledgerId },
      { __typename: 'Person', nss },
      { __typename: 'RegistryLedgerEntry', id: 'NOTHING' },
      { __typename: 'RegistryBudget', id: 'NOTHING' },
    ];
    const own = await padron.ask(query, { r });
    const evidence = { endpoint: 'POST /api/infonavit/grupo/buscar-credito', units: 1 };
    expect([own.data._entities, own.errors]).toEqual([[{ id: ledgerId, evidence }, { nss }, null, null], undefined]);
    const foreign = await padron.ask(query, { r }, { authorization: `Bearer ${OTHER_TOKEN}` });
    expect([foreign.data._entities, foreign.errors]).toEqual([[null, { nss }, null, null], undefined]);
    const nobody = await padron.ask(query, { r }, { authorization: '' });
    expect(nobody.data._entities).toEqual([null, { nss }, null, null]);
    expect(nobody.errors?.map(({ extensions }) => extensions.code)).toEqual(Array(3).fill('UNAUTHENTICATED'));
  });
});
