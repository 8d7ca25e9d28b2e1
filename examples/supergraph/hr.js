/** A small HR subgraph: it has employees, and refers to padron for what the registries know about them. */
import { readFileSync } from 'node:fs';
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginInlineTraceDisabled } from '@apollo/server/plugin/disabled';
import { startStandaloneServer } from '@apollo/server/standalone';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { ports } from './ports.js';

const employees = [
  { id: 'e1', name: 'Uriel Gutiérrez Morales', nss: '04159600263', companyId: 'c1' },
  { id: 'e2', name: 'Claudia Muñoz Morales', nss: '15725300436', companyId: 'c1' },
  { id: 'e3', name: 'Natalia Cruz, with a mistyped NSS', nss: '21028300595', companyId: 'c1' },
  { id: 'e4', name: 'A trainee without an NSS', nss: null, companyId: 'c2' },
  { id: 'e5', name: 'Uriel Gutiérrez Morales, in his second job', nss: '04159600263', companyId: 'c2' },
];

const companies = [
  { id: 'c1', name: 'The builder', registration: 'F9110000100' },
  { id: 'c2', name: 'Not registered yet', registration: null },
];

const resolvers = {
  Query: {
    employees: (_, { ids }) => (ids ? employees.filter(({ id }) => ids.includes(id)) : employees),
  },
  Employee: {
    __resolveReference: ({ id }) => employees.find((employee) => employee.id === id),
    company: ({ companyId }) => companies.find(({ id }) => id === companyId),
    person: ({ nss }) => (nss === null ? null : { nss }),
  },
  Company: {
    __resolveReference: ({ id }) => companies.find((company) => company.id === id),
    employer: ({ registration }) => (registration === null ? null : { registration }),
  },
  Person: {
    __resolveReference: ({ nss }) => ({ nss }),
    jobs: ({ nss }) => employees.filter((employee) => employee.nss === nss),
  },
};

const typeDefs = parse(readFileSync(new URL('hr.graphql', import.meta.url), 'utf8'));
const server = new ApolloServer({
  schema: buildSubgraphSchema({ typeDefs, resolvers }),
  plugins: [ApolloServerPluginInlineTraceDisabled()],
});
const { url } = await startStandaloneServer(server, { listen: { host: '127.0.0.1', port: ports.hr } });
process.stdout.write(`HR subgraph: ${url}\n`);
