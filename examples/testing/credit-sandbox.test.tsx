import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { prerenderStatic } from '@apollo/client/react/ssr';
import { possibleTypes, typePolicies } from 'padron-client/apollo';
import { renderToStaticMarkup } from 'react-dom/server';
import { Credit } from './credit';

const uri = process.env.PADRON_URL ?? 'http://127.0.0.1:4310/graphql';

async function show(nss: string, headers: Record<string, string> = {}) {
  const link = new HttpLink({ uri, headers: { authorization: 'Bearer sandbox-token', ...headers } });
  const client = new ApolloClient({ link, cache: new InMemoryCache({ typePolicies, possibleTypes }) });
  const tree = (
    <ApolloProvider client={client}>
      <Credit nss={nss} />
    </ApolloProvider>
  );
  return (await prerenderStatic({ tree, renderFunction: renderToStaticMarkup })).result;
}

test.each([
  ['04159600263', 'Tiene un crédito.'], // Uriel Gutiérrez Morales
  ['68796070115', 'El registro no tiene datos de esta persona.'], // 404
  ['32846571506', 'El registro no puede responder por ahora.'], // 503
  ['04159600264', 'Parece que un carácter está mal escrito.'], // a wrong check digit is never sent
])('shows the answer about %s', async (nss, text) => {
  expect(await show(nss)).toContain(text);
});

test('waits for a slow registry', async () => {
  const start = Date.now();
  expect(await show('15725300436', { 'x-sandbox-delay': 'buscar-credito=700ms' })).toContain('crédito');
  expect(Date.now() - start).toBeGreaterThan(650);
});

test('asks to sign in again', async () => {
  expect(await show('15725300436', { authorization: '' })).toContain('Inicie sesión de nuevo.');
});
