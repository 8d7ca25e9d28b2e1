import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginInlineTraceDisabled } from '@apollo/server/plugin/disabled';
import { startStandaloneServer } from '@apollo/server/standalone';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { SANDBOX_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../support/find-or-throw';
import { CREDIT, IDENTITY, SEARCH } from '../support/operations/people-endpoints';
import { type RunningPadron, runPadron } from '../support/padrons/padron';
import { askGateway, type Gateway, gateways } from './gateways/gateway';
import { promisesOf } from './promises';
import { routerSecret, supergraphOf } from './supergraph';

const person = findOrThrow(people, ({ credit, licences }) => Boolean(credit) && licences.length === 1);
const { nss, curp } = person;
const name = { names: person.names, paternalSurname: person.paternalSurname, maternalSurname: person.maternalSurname };

/** A team that knows anything between a name and all identifiers of its candidates. */
const hiring = {
  typeDefs: `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
    scalar JSON
    type Query { candidate(id: ID!): Candidate }
    type Candidate { id: ID! person: Person }
    type Person @key(fields: "identifiers", resolvable: false) { identifiers: JSON }`,
  resolvers: {
    Query: {
      candidate: (_: unknown, { id }: { readonly id: string }) => ({ id, person: { identifiers: candidates[id] } }),
    },
  },
};
const candidates: Readonly<Record<string, unknown>> = {
  named: { nss, curp: null, name },
  coded: { curp },
  known: { nss, curp, name },
  onlyName: { name },
  mistyped: { nss: '123', curp, name },
  text: nss,
  misnamed: { nss, nombre: name },
};

/** A team that decides by a field of padron. */
const lending = {
  typeDefs: `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@requires"])
    scalar NSS
    type Query { limits: [Int!] }
    type Person @key(fields: "nss") {
      nss: NSS
      credit: HousingCreditLookup @external
      mayBorrow: Boolean @requires(fields: "credit { record { hasCredit } }")
    }
    type HousingCreditLookup { record: HousingCredit @external }
    type HousingCredit { hasCredit: Boolean @external }`,
  resolvers: {
    Person: {
      __resolveReference: (found: object) => found,
      mayBorrow: ({ credit }: LendingPerson) => (credit?.record ? credit.record.hasCredit === false : null),
    },
  },
};
interface LendingPerson {
  readonly credit: { readonly record: { readonly hasCredit: boolean | null } | null } | null;
}

async function startTeam({ typeDefs, resolvers }: { readonly typeDefs: string; readonly resolvers: object }) {
  const schema = buildSubgraphSchema({ typeDefs: parse(typeDefs), resolvers: resolvers as never });
  const plugins = [ApolloServerPluginInlineTraceDisabled()];
  const server = new ApolloServer({ schema, plugins, stopOnTerminationSignals: false });
  const { url } = await startStandaloneServer(server, { listen: { host: '127.0.0.1', port: 0 } });
  return { url, stop: () => server.stop() };
}

describe.each(gateways)('the team of another subgraph behind $name', (kind) => {
  const promise = promisesOf(kind);
  let padron: RunningPadron;
  let gateway: Gateway;
  const teams: { readonly url: string; stop(): Promise<void> }[] = [];
  beforeAll(async () => {
    if (!kind.installed) return;
    padron = await runPadron({ environment: { SUBGRAPH_SECRET: routerSecret } });
    for (const team of [hiring, lending]) teams.push(await startTeam(team));
    const [{ url: hiringUrl = '' } = {}, { url: lendingUrl = '' } = {}] = teams;
    gateway = await kind.start(await supergraphOf({ padron: padron.url, hiring: hiringUrl, lending: lendingUrl }));
  });
  afterAll(async () => {
    await gateway?.stop();
    for (const team of teams) await team.stop();
    await padron?.stop();
  });
  beforeEach(() => void padron?.calls());

  const ask = (query: string) =>
    askGateway(gateway, { query }, { authorization: `Bearer ${SANDBOX_TOKEN}`, 'x-test-scopes': '' });
  const aboutCandidate = async (id: string, fields: string) =>
    (await ask(`{ candidate(id: "${id}") { person { ${fields} } } }`)).data.candidate.person;

  promise('ownKeys', async () => {
    // With what the team knows, padron needs no call to find an identifier.
    expect(await aboutCandidate('named', 'licences { outcome }')).toEqual({ licences: { outcome: 'FOUND' } });
    expect(await aboutCandidate('coded', 'identity { outcome }')).toEqual({ identity: { outcome: 'FOUND' } });
    expect(padron.calls()).toEqual([SEARCH, IDENTITY]);
    const whole = await aboutCandidate(
      'known',
      'nss curp credit { outcome } identity { outcome } consistency { status }',
    );
    expect(whole).toMatchObject({ nss, curp, credit: { outcome: 'FOUND' }, consistency: { status: 'CONSISTENT' } });
    expect([...padron.calls()].sort()).toEqual([CREDIT, IDENTITY].sort());
  });

  promise('wrongKeys', async () => {
    const problems = 'outcome problems { code }';
    expect(await aboutCandidate('onlyName', `credit { ${problems} }`)).toEqual({
      credit: { outcome: 'NOT_RUN', problems: [{ code: 'MISSING_IDENTIFIER' }] },
    });
    expect(await aboutCandidate('mistyped', `credit { ${problems} }`)).toEqual({
      credit: { outcome: 'INVALID_INPUT', problems: [{ code: 'INVALID_FORMAT' }] },
    });
    for (const [id, outcome] of [
      ['text', 'INVALID_INPUT'],
      ['misnamed', 'INVALID_INPUT'],
    ] as const)
      expect((await aboutCandidate(id, 'credit { outcome }')).credit).toEqual({ outcome });
    expect(padron.calls()).toEqual([]);
  });

  promise('requires', async () => {
    const { data, errors } = await ask(`{ person(nss: "${nss}") { mayBorrow } }`);
    expect([errors, data]).toEqual([undefined, { person: { mayBorrow: false } }]);
    expect(padron.calls()).toEqual([CREDIT]);
  });
});
