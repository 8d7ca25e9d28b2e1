import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { isFound } from 'padron-client';
import { keys, possibleTypes, resolvers } from 'padron-client/urql';
import { found, nss, timedOut } from './credit-mocks';
import { CreditDocument, type CreditQuery } from './generated/graphql';

const clientWith = (data: CreditQuery) =>
  new Client({
    url: 'http://padron.test/graphql',
    preferGetMethod: false,
    fetch: async () => Response.json({ data }),
    exchanges: [cacheExchange({ keys, resolvers, possibleTypes }), fetchExchange],
  });

test.each([
  [found, 'FOUND', true],
  [timedOut, 'UNAVAILABLE', false],
])('reads the answer', async (answer, outcome, expected) => {
  const { data } = await clientWith(answer).query(CreditDocument, { nss }).toPromise();
  const credit = data?.person?.credit;
  expect([credit?.outcome, isFound(credit)]).toEqual([outcome, expected]);
});
