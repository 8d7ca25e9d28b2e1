import { InMemoryCache } from '@apollo/client';
import { prerenderStatic } from '@apollo/client/react/ssr';
import type { MockLink } from '@apollo/client/testing';
import { MockedProvider } from '@apollo/client/testing/react';
import { possibleTypes, typePolicies } from 'padron-client/apollo';
import { renderToStaticMarkup } from 'react-dom/server';
import { Credit } from './credit';
import { found, nss, timedOut } from './credit-mocks';
import { CreditDocument, type CreditQuery, type CreditQueryVariables } from './generated/graphql';

type CreditMock = MockLink.MockedResponse<CreditQuery, CreditQueryVariables>;

const treeWith = (answer: Pick<CreditMock, 'result' | 'error'>) => {
  const mock: CreditMock = { request: { query: CreditDocument, variables: { nss } }, ...answer };
  const cache = new InMemoryCache({ typePolicies, possibleTypes });
  return (
    <MockedProvider mocks={[mock]} cache={cache}>
      <Credit nss={nss} />
    </MockedProvider>
  );
};

/** Renders until all answers are there. */
const show = async (answer: Pick<CreditMock, 'result' | 'error'>) =>
  (await prerenderStatic({ tree: treeWith(answer), renderFunction: renderToStaticMarkup })).result;

test('waits for the answer', () => {
  expect(renderToStaticMarkup(treeWith({ result: { data: found } }))).toContain('Consultando');
});

test('shows what was found', async () => {
  expect(await show({ result: { data: found } })).toContain('Tiene un crédito.');
});

test('shows the problem of a lookup without a record', async () => {
  expect(await show({ result: { data: timedOut } })).toContain('El registro tardó demasiado en responder.');
});

test('asks to sign in again', async () => {
  const error = { message: 'No token.', extensions: { code: 'UNAUTHENTICATED' } };
  expect(await show({ result: { errors: [error] } })).toContain('Inicie sesión de nuevo.');
});
