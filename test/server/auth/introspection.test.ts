import { getIntrospectionQuery } from 'graphql';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { type Claims, JWT_SECRET, signedBySecret } from '../../support/keys/identity-provider';
import { padronForTests } from '../../support/padrons/padron-for-tests';

const claims: Claims = { iss: 'https://id.example', aud: 'padron', scope: '' };
const onlyExplorer = { INTROSPECTION: 'off', EXPLORER: 'on' };
const hidden = [
  '{ __schema { queryType { name } } }',
  '{ ...F } fragment F on Query { ok: __type(name: "Query") { name } }',
  '{ ...F } fragment F on Query { ok: _service { sdl } }',
];
const sdl = '{ _service { sdl } }';

describe('introspection for the explorer only, with JWTs', () => {
  const padron = padronForTests({
    environment: { ...onlyExplorer, REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET },
  });
  const ask = (query: string, authorization: string) => padron.ask(query, {}, { authorization });

  it('answers a caller with a valid JWT, without a scope', async () => {
    const { status, data } = await ask(getIntrospectionQuery(), `Bearer ${await signedBySecret(JWT_SECRET, claims)}`);
    expect(status).toBe(200);
    expect(data.__schema.types.length).toBeGreaterThan(50);
    expect(padron.calls()).toEqual([]);
  });

  it.each(hidden)('rejects callers without one: %s', async (query) => {
    const foreign = await signedBySecret('another-secret-of-at-least-32-characters', claims);
    for (const authorization of ['', 'Bearer nonsense', `Bearer ${SANDBOX_TOKEN}`, `Bearer ${foreign}`]) {
      const { status, data, errors } = await ask(query, authorization);
      expect([status, data, errors?.[0]?.extensions.code]).toEqual([401, undefined, 'UNAUTHENTICATED']);
    }
  });

  it('leaves other free operations open', async () => {
    expect((await ask('{ __typename registryEndpoints { units } }', '')).data.__typename).toBe('Query');
  });
});

describe("introspection for the explorer only, with the service's own tokens", () => {
  const padron = padronForTests({ environment: onlyExplorer });

  it('answers a caller whose token the service accepts, after one free check', async () => {
    for (let time = 0; time < 3; time += 1)
      expect((await padron.ask(getIntrospectionQuery())).data.__schema.queryType.name).toBe('Query');
    expect(padron.callsInFull().map(({ units }) => units)).toEqual([0]);
    expect(padron.spent()).toBe(0);
  });

  it.each(hidden)('rejects callers whose token the service rejects: %s', async (query) => {
    for (const authorization of ['', 'Bearer unknown-to-the-service']) {
      const { status, errors } = await padron.ask(query, {}, { authorization });
      expect([status, errors?.[0]?.extensions.code]).toEqual([401, 'UNAUTHENTICATED']);
    }
    expect(padron.spent()).toBe(0);
  });
});

describe('the SDL for routers, if introspection and the explorer are off', () => {
  const off = { INTROSPECTION: 'off' };
  const fromService = padronForTests({ environment: off });
  const fromRouter = padronForTests({ environment: { ...off, SUBGRAPH_SECRET: JWT_SECRET } });
  const trusting = padronForTests({ environment: { ...off, REGISTRY_TOKEN: SANDBOX_TOKEN } });

  it('is returned to a caller whose token the service accepts, and introspection to no caller', async () => {
    expect((await fromService.ask(sdl)).data._service.sdl).toContain('type Person');
    expect((await fromService.ask('{ __schema { queryType { name } } }')).status).toBe(400);
    expect(fromService.callsInFull().map(({ units }) => units)).toEqual([0]);
  });

  it('is not returned to other callers', async () => {
    for (const authorization of ['', 'Bearer unknown-to-the-service']) {
      const { status, data, errors } = await fromService.ask(sdl, {}, { authorization });
      expect([status, data, errors?.[0]?.extensions.code]).toEqual([401, undefined, 'UNAUTHENTICATED']);
    }
    expect(fromService.spent()).toBe(0);
  });

  it('is returned to the router that knows SUBGRAPH_SECRET, without a token', async () => {
    const headers = { authorization: '', 'x-subgraph-secret': JWT_SECRET };
    expect((await fromRouter.ask(sdl, {}, headers)).data._service.sdl).toContain('type Person');
    expect((await fromRouter.ask(sdl, {}, { authorization: '' })).status).toBe(403);
    expect(fromRouter.callsInFull()).toEqual([]);
  });

  it('is returned to every caller that spends the token of padron', async () => {
    expect((await trusting.ask(sdl, {}, { authorization: '' })).data._service.sdl).toContain('type Person');
    expect(trusting.callsInFull()).toEqual([]);
  });
});
