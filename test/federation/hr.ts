import type { IncomingHttpHeaders } from 'node:http';
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginInlineTraceDisabled } from '@apollo/server/plugin/disabled';
import { startStandaloneServer } from '@apollo/server/standalone';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { employers } from '../../src/extensions/sandbox/data/employers';
import { people } from '../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../support/find-or-throw';

/**
 * Another team's subgraph. It has identifiers only (`resolvable: false`). Its scalars must have padron's names, or the subgraphs do
 * not compose.
 */
const typeDefs = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])

  scalar NSS
  scalar EmployerRegistration

  type Query {
    employees(ids: [ID!]): [Employee!]
    companies(ids: [ID!]): [Company!]
  }

  type Employee @key(fields: "id") {
    id: ID!
    fullName: String!
    company: Company
    person: Person
  }

  type Company @key(fields: "id") {
    id: ID!
    name: String!
    employer: Employer
  }

  type Person @key(fields: "nss", resolvable: false) {
    nss: NSS
  }

  type Employer @key(fields: "registration", resolvable: false) {
    registration: EmployerRegistration!
  }
`);

const withCredit = people.filter(({ credit }) => credit !== null && credit !== '');

/** A person with two jobs. */
export const ana = findOrThrow(withCredit, ({ nss }) => !nss.startsWith('0'));
/** A person whose NSS begins with a zero. */
export const zoe = findOrThrow(withCredit, ({ nss }) => nss.startsWith('0'));
export const malformedNss = '1234-5';
export const builder = findOrThrow(employers, ({ serial }) => serial === 0);

const employees = [
  { id: 'e1', fullName: 'Ana', nss: ana.nss, companyId: 'c1' },
  { id: 'e2', fullName: 'Zoe', nss: zoe.nss, companyId: 'c1' },
  { id: 'e3', fullName: 'Typing Error', nss: malformedNss, companyId: 'c1' },
  { id: 'e4', fullName: 'Nobody Registered', nss: null, companyId: 'c2' },
  { id: 'e5', fullName: 'Ana, in her second job', nss: ana.nss, companyId: 'c2' },
];

const companies = [
  { id: 'c1', name: 'The builder', registration: builder.registration },
  { id: 'c2', name: 'Not registered yet', registration: null },
];

interface Chosen {
  readonly ids?: readonly string[] | null;
}

const byIds = <Row extends { readonly id: string }>(rows: readonly Row[], { ids }: Chosen) =>
  ids ? rows.filter(({ id }) => ids.includes(id)) : rows;

const resolvers = {
  Query: {
    employees: (_: unknown, chosen: Chosen) => byIds(employees, chosen),
    companies: (_: unknown, chosen: Chosen) => byIds(companies, chosen),
  },
  Employee: {
    company: ({ companyId }: (typeof employees)[number]) => companies.find(({ id }) => id === companyId),
    person: ({ nss }: (typeof employees)[number]) => (nss === null ? null : { nss }),
  },
  Company: {
    employer: ({ registration }: (typeof companies)[number]) => (registration === null ? null : { registration }),
  },
};

export interface Hr {
  readonly url: string;
  /** The headers of every request. */
  readonly requests: readonly IncomingHttpHeaders[];
  stop(): Promise<void>;
}

export async function startHr(): Promise<Hr> {
  const server = new ApolloServer({
    schema: buildSubgraphSchema({ typeDefs, resolvers }),
    plugins: [ApolloServerPluginInlineTraceDisabled()],
    stopOnTerminationSignals: false,
  });
  const requests: IncomingHttpHeaders[] = [];
  const { url } = await startStandaloneServer(server, {
    listen: { host: '127.0.0.1', port: 0 },
    context: async ({ req }) => {
      requests.push(req.headers);
      return {};
    },
  });
  return { url, requests, stop: () => server.stop() };
}
