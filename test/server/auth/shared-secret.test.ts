import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OTHER_TOKEN, SANDBOX_TOKEN, UNPERMITTED_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { type Claims, handMade, inSeconds, JWT_SECRET, signedBySecret } from '../../support/keys/identity-provider';
import { CREDIT } from '../../support/operations/people-endpoints';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { LONG_SECRET } from '../../support/padrons/settings';
import { withPadron } from '../../support/padrons/with-padron';
import { blocksOf } from '../../support/pages';
import { waitUntil } from '../../support/proxies/deferred';
import { asking, nss, outcomeIn } from '../../support/requests/credit-request';
import { expectRefusal, send } from '../../support/requests/http';

const query = `{ person(nss: "${nss}") { credit { outcome problems { code } } } }`;

const claims: Claims = { iss: 'https://id.example', aud: 'padron', scope: 'openid use_buscar_credito' };

const padron = padronForTests({
  environment: {
    REGISTRY_TOKEN: OTHER_TOKEN,
    JWT_SECRET,
    JWT_ISSUER: 'https://id.example',
    JWT_AUDIENCE: 'padron',
  },
});

const askWith = (token: string) => padron.ask(query, {}, { authorization: token === '' ? '' : `Bearer ${token}` });

/** The bytes of a signature by the shared secret, whatever is signed. */
const signature = (signed: string, algorithm = 'sha256', key: string | Buffer = JWT_SECRET): string =>
  createHmac(algorithm, key).update(signed).digest('base64url');

function resigned(header: object, algorithm = 'sha256', key: string | Buffer = JWT_SECRET): string {
  const unsigned = handMade(header, claims).slice(0, -1);
  return `${unsigned}.${signature(unsigned, algorithm, key)}`;
}

describe('a caller whose token is signed by the shared secret', () => {
  it.each([
    ['as it should be', () => claims],
    ['for several audiences', () => ({ ...claims, aud: ['another', 'padron'] })],
    // The token is issued for each request, because starting padron takes seconds.
    ['expired two seconds ago: clocks differ', () => ({ ...claims, exp: inSeconds(-2) })],
    ['not valid for two seconds yet', () => ({ ...claims, nbf: inSeconds(2) })],
  ])('calls the service with REGISTRY_TOKEN, never with its own token: %s', async (_, issue) => {
    const own = signedBySecret(JWT_SECRET, issue());
    const { data, errors } = await askWith(own);
    expect({ data, errors }).toEqual({ data: { person: { credit: { outcome: 'FOUND', problems: [] } } } });
    expect(padron.callsInFull().map(({ account, endpoint }) => [account, endpoint])).toEqual([[OTHER_TOKEN, CREDIT]]);
    expect(padron.log.join()).not.toContain(own);
  });

  it.each([
    ['HS384', 'sha384'],
    ['HS512', 'sha512'],
  ])('may use a longer hash: %s', async (alg, algorithm) => {
    expect((await askWith(resigned({ alg }, algorithm))).data.person.credit.outcome).toBe('FOUND');
  });
});

describe('a caller without a valid token', () => {
  const { iss: _issuer, ...withoutIssuer } = claims;
  const { aud: _audience, ...withoutAudience } = claims;
  const [head = '', body = ''] = signedBySecret(JWT_SECRET, claims).split('.');
  const whole = resigned({ alg: 'HS256' });

  const another = 'another-secret-that-is-as-long-as-ours';
  const expired = { ...claims, exp: inSeconds(-60) };

  /** Returns the reason in the log line of the request with this ID. */
  const reasonOf = async (requestId: string): Promise<unknown> => {
    const isOwn = (line: string): boolean => line.includes(requestId);
    await waitUntil(() => padron.log.some(isOwn));
    return JSON.parse(findOrThrow(padron.log, isOwn)).reason;
  };

  it.each([
    ['none at all', '', undefined],
    ['no JWT', 'neither.a.token', 'token_malformed'],
    ['the token that is held here', OTHER_TOKEN, 'token_malformed'],
    ['the shared secret itself', JWT_SECRET, 'token_malformed'],
    ['another secret', signedBySecret(another, claims), 'signature_wrong'],
    ['expired', signedBySecret(JWT_SECRET, expired), 'token_expired'],
    ['expired, by another secret: nothing that it says counts', signedBySecret(another, expired), 'signature_wrong'],
    ['never expiring', signedBySecret(JWT_SECRET, { ...claims, exp: undefined }), 'exp_missing'],
    ['an expiry that is no number', resignedClaims({ ...claims, exp: `${inSeconds(60)}` }), null],
    ['not valid yet', signedBySecret(JWT_SECRET, { ...claims, nbf: inSeconds(600) }), 'token_not_valid_yet'],
    ['another issuer', signedBySecret(JWT_SECRET, { ...claims, iss: 'https://id.example.evil' }), 'issuer_wrong'],
    ['no issuer', signedBySecret(JWT_SECRET, withoutIssuer), 'issuer_wrong'],
    ['another audience', signedBySecret(JWT_SECRET, { ...claims, aud: 'payroll' }), 'audience_wrong'],
    ['no audience', signedBySecret(JWT_SECRET, withoutAudience), 'audience_wrong'],
    ['an audience of nobody', signedBySecret(JWT_SECRET, { ...claims, aud: [] }), 'audience_wrong'],
    ['alg none, unsigned', handMade({ alg: 'none' }, claims), 'algorithm_not_allowed'],
    ['alg none, signed', resigned({ alg: 'none' }), 'algorithm_not_allowed'],
    ['alg NONE', handMade({ alg: 'NONE' }, claims), 'algorithm_not_allowed'],
    ['no alg', resigned({ typ: 'JWT' }), null],
    ['signature cut off', `${head}.${body}.`, null],
    ['no signature', `${head}.${body}`, null],
    ['signature changed', `${whole.slice(0, -2)}${whole.endsWith('AA') ? 'BB' : 'AA'}`, 'signature_wrong'],
    [
      'claims changed',
      [head, Buffer.from('{"exp":9999999999}').toString('base64url'), whole.split('.')[2]].join('.'),
      'signature_wrong',
    ],
    ['an extension that we do not know, marked critical', resigned({ alg: 'HS256', crit: ['b64'], b64: false }), null],
    ['a key of its own in the header', resigned({ alg: 'HS256', jwk: { kty: 'oct', k: 'eA' } }, 'sha256', 'x'), null],
    ['claims that are no object', resignedText('"use_buscar_credito"'), null],
  ])('is rejected without a call, and the reason is only in the log: %s', async (_, token, reason) => {
    const { data, errors, status, headers } = await askWith(token);
    expect([status, data]).toEqual([200, { person: { credit: null } }]);
    const message = 'The request has no valid JWT. Send `authorization: Bearer <JWT>`.';
    expect(errors).toMatchObject([{ path: ['person', 'credit'], message, extensions: { code: 'UNAUTHENTICATED' } }]);
    if (token !== '') expect(JSON.stringify(errors) + padron.log.join()).not.toContain(token);
    // The reasons of the rarer faults depend on the order in which jose checks them.
    expect(await reasonOf(String(headers['x-request-id']))).toEqual(reason === null ? expect.any(String) : reason);
    expect(padron.calls()).toEqual([]);
  });

  it('can still read free fields', async () => {
    const { data, errors } = await padron.ask('{ registryEndpoints { units } }', {}, { authorization: '' });
    expect(errors).toBeUndefined();
    expect(data.registryEndpoints.length).toBeGreaterThan(10);
  });

  it('cannot upload files', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'apollo-require-preflight': 'true' };
    const { status, errors } = await padron.ask('{ __typename }', {}, { ...headers, authorization: 'Bearer x' });
    expect([status, errors?.[0]?.extensions.code]).toEqual([401, 'UNAUTHENTICATED']);
  });

  function resignedClaims(claims: Claims): string {
    return resignedText(JSON.stringify(claims));
  }

  function resignedText(text: string): string {
    const unsigned = [`{"alg":"HS256"}`, text].map((part) => Buffer.from(part).toString('base64url')).join('.');
    return `${unsigned}.${signature(unsigned)}`;
  }
});

const person = findOrThrow(people, ({ credit, account }) => Boolean(credit && account));

describe('the documented command that creates a token', () => {
  const query = `{ person(nss: "${person.nss}", curp: "${person.curp}") { credit { outcome } identity { outcome } housingAccount { outcome } } }`;

  it('creates a token that is accepted for its scopes', async () => {
    const command = findOrThrow(blocksOf('sh'), (block) => block.includes('SignJWT'));
    const env = { PATH: process.env.PATH ?? '', JWT_SECRET: LONG_SECRET };
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { env, cwd: join(__dirname, '../../..') });
    const environment = { REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET: LONG_SECRET };
    await withPadron({ environment }, async (padron) => {
      const { data, errors } = await padron.ask(query, {}, { authorization: `Bearer ${stdout.trim()}` });
      expect(errors).toBeUndefined();
      expect(data.person).toEqual({
        credit: { outcome: 'FOUND' },
        identity: { outcome: 'FOUND' },
        housingAccount: { outcome: 'NOT_PERMITTED' },
      });
    });
  });
});

const ROUTER = 'what-only-the-router-knows';

describe('a secret between the router and padron', () => {
  const padron = padronForTests({ environment: { SUBGRAPH_SECRET: ROUTER } });

  it.each([
    ['none', {}],
    ['an empty one', { 'x-subgraph-secret': '' }],
    ['another one', { 'x-subgraph-secret': 'what-only-the-router-knowz' }],
    ['its beginning', { 'x-subgraph-secret': ROUTER.slice(0, -1) }],
    ['more than it', { 'x-subgraph-secret': `${ROUTER} ${ROUTER}` }],
    ['it, elsewhere', { authorization: `Bearer ${ROUTER}` }],
  ])('rejects requests with %s', async (_, headers) => {
    expectRefusal(await send(padron.url, asking(headers)), 403, 'FORBIDDEN');
    expectRefusal(await send(`${padron.url}?query={__typename}`, { headers }), 403, 'FORBIDDEN');
    expect(padron.calls()).toEqual([]);
    expect(padron.log.join()).not.toContain(ROUTER);
  });

  it('accepts the router, and is not sent to the service', async () => {
    expect(outcomeIn(await send(padron.url, asking({ 'x-subgraph-secret': ROUTER })))).toBe('FOUND');
    expect(padron.log.join()).not.toContain(ROUTER);
  });

  it.each(['health/live', 'health/ready', 'metrics'])('is not needed for health and metrics: %s', async (path) => {
    expect((await send(padron.url.replace('graphql', path))).status).toBe(200);
  });

  it('does not replace the token of the account that pays', async () => {
    const { errors } = await padron.ask(query, {}, { 'x-subgraph-secret': ROUTER, authorization: '' });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(padron.calls()).toEqual([]);
  });
});

describe('a token held by the server (REGISTRY_TOKEN)', () => {
  const padron = padronForTests({ environment: { REGISTRY_TOKEN: OTHER_TOKEN } });
  const withoutToken = padronForTests();

  it.each([[`Bearer ${SANDBOX_TOKEN}`], [`Bearer ${UNPERMITTED_TOKEN}`], ['']])(
    "pays for calls, and the caller's own token is not sent to the service: %s",
    async (authorization) => {
      const { data, errors } = await padron.ask(query, {}, { authorization });
      expect([errors, data.person.credit.outcome]).toEqual([undefined, 'FOUND']);
      expect(padron.callsInFull().map(({ account, units }) => [account, units])).toEqual([[OTHER_TOKEN, 1]]);
      expect(padron.log.join('')).not.toContain(OTHER_TOKEN);
    },
  );

  it('leads to an outcome, not to an error, if the service rejects it, because only the operator can renew it', () =>
    withPadron({ environment: { REGISTRY_TOKEN: 'revoked-token' } }, async ({ ask }) => {
      const { data, errors } = await ask(
        `{ person(nss: "${nss}") { credit { outcome problems { code message } evidence { billing units } } } }`,
      );
      expect(errors).toBeUndefined();
      expect(data.person.credit).toMatchObject({
        outcome: 'UNAVAILABLE',
        problems: [{ code: 'TOKEN_REFUSED', message: expect.stringContaining('operator') }],
        evidence: { billing: 'NOT_CHARGED', units: 0 },
      });
    }));

  it.each([['Basic eDp5'], ['Bearer'], ['Bearer two words'], ['']])(
    'is not set: a caller must send a well-formed token, not «%s»',
    async (authorization) => {
      const { data, errors } = await withoutToken.ask(query, {}, { authorization });
      expect(data).toEqual({ person: { credit: null } });
      expect(errors).toMatchObject([{ path: ['person', 'credit'], extensions: { code: 'UNAUTHENTICATED' } }]);
      expect(withoutToken.calls()).toEqual([]);
    },
  );
});
