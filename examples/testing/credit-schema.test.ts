import { readFileSync } from 'node:fs';
import { ApolloClient, InMemoryCache } from '@apollo/client';
import { SchemaLink } from '@apollo/client/link/schema';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { possibleTypes, typePolicies } from 'padron-client/apollo';
import { CreditDocument } from './generated/graphql';

const person = { nss: '04159600263', credit: { outcome: 'NOT_FOUND', problems: [], evidence: { checkedAt: null } } };
const schema = makeExecutableSchema({
  typeDefs: readFileSync('node_modules/padron-client/schema/api.graphql', 'utf8'),
  resolvers: { Query: { person: () => person } },
});

test('finds nothing', async () => {
  const cache = new InMemoryCache({ typePolicies, possibleTypes });
  const client = new ApolloClient({ link: new SchemaLink({ schema }), cache });
  const { data } = await client.query({ query: CreditDocument, variables: { nss: '04159600263' } });
  expect(data?.person?.credit).toMatchObject({ __typename: 'HousingCreditLookup', outcome: 'NOT_FOUND', record: null });
});
