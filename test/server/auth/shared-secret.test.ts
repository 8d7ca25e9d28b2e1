import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OTHER_TOKEN, SANDBOX_TOKEN, UNPERMITTED_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { people } from '../../../src/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { type Claims, handMade, inSeconds, signedBySecret } from '../../support/keys/identity-provider';
import { CREDIT } from '../../support/operations/people-endpoints';
import { runPadron } from '../../support/padrons/padron';
import { padronForTests, padronStarter } from '../../support/padrons/padron-for-tests';
import { LONG_SECRET } from '../../support/padrons/settings';
import { withPadron } from '../../support/padrons/with-padron';
import { blocksOf } from '../../support/pages';
import { waitUntil } from '../../support/proxies/deferred';
import { asking, outcomeIn } from '../../support/requests/credit-request';
import { expectRefusal, send } from '../../support/requests/http';

const SECRET = 'a-secret-shared-with-the-identity-provider';

const { nss } = findOrThrow(people, ({ credit }) => Boolean(credit));

const query = `{ person(nss: "${nss}") { credit { outcome problems { code } } } }`;

const claims: Claims = { iss: 'https://id.example', aud: 'padron', scope: 'openid use_buscar_credito' };

const padron = padronForTests({
  environment: {
    REGISTRY_TOKEN: OTHER_TOKEN,
    JWT_SECRET: SECRET,
    JWT_ISSUER: 'https://id.example',
    JWT_AUDIENCE: 'padron',
  },
});

const askWith = (token: string) => padron.ask(query, {}, { authorization: token === '' ? '' : `Bearer ${token}` });

/** The bytes of a signature by the shared secret, whatever is signed. */
const signature = (signed: string, algorithm = 'sha256', key: string | Buffer = SECRET): string =>
  createHmac(algorithm, key).update(signed).digest('base64url');

function resigned(header: object, algorithm = 'sha256', key: string | Buffer = SECRET): string {
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
    const own = signedBySecret(SECRET, issue());
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

describe('the reason why a token is rejected', () => {
  const reasonOf = async (token: string): Promise<unknown> => {
    const logged = padron.log.length;
    const { headers, errors } = await askWith(token);
    expect(errors?.[0].message).toBe('The request has no valid JWT. Send `authorization: Bearer <JWT>`.');
    const isOwn = (line: string): boolean => line.includes(String(headers['x-request-id']));
    await waitUntil(() => padron.log.slice(logged).some(isOwn));
    return JSON.parse(findOrThrow(padron.log.slice(logged), isOwn)).reason;
  };

  it.each<[string, string, () => string]>([
    ['it has expired', 'token_expired', () => signedBySecret(SECRET, { ...claims, exp: inSeconds(-60) })],
    ['it is not valid yet', 'token_not_valid_yet', () => signedBySecret(SECRET, { ...claims, nbf: inSeconds(60) })],
    ['it never expires', 'exp_missing', () => signedBySecret(SECRET, { ...claims, exp: undefined })],
    ['another issuer', 'issuer_wrong', () => signedBySecret(SECRET, { ...claims, iss: 'https://id.example.evil' })],
    ['another audience', 'audience_wrong', () => signedBySecret(SECRET, { ...claims, aud: 'payroll' })],
    ['another secret', 'signature_wrong', () => signedBySecret('another-secret-that-is-as-long-as-ours', claims)],
    [
      'expired, by another secret: nothing that it says counts',
      'signature_wrong',
      () => signedBySecret('another-secret-that-is-as-long-as-ours', { ...claims, exp: inSeconds(-60) }),
    ],
    ['no token at all', 'token_malformed', () => 'neither.a.token'],
    ['a token of the service', 'token_malformed', () => OTHER_TOKEN],
    ['unsigned', 'algorithm_not_allowed', () => handMade({ alg: 'none' }, claims)],
  ])('is in the log, and never in the response: %s', async (_, reason, issue) => {
    expect(await reasonOf(issue())).toBe(reason);
  });

  it('is not in the log if the token is accepted or missing', async () => {
    await askWith(signedBySecret(SECRET, claims));
    expect(await reasonOf('')).toBeUndefined();
    const lines = padron.log.map((line) => JSON.parse(line));
    expect(
      lines.filter(({ status, account, reason }) => status === 200 && account !== null && reason === null),
    ).toEqual([]);
  });
});

describe('a caller without a valid token', () => {
  const { iss: _issuer, ...withoutIssuer } = claims;
  const { aud: _audience, ...withoutAudience } = claims;
  const [head = '', body = ''] = signedBySecret(SECRET, claims).split('.');
  const whole = resigned({ alg: 'HS256' });

  it.each([
    ['none at all', ''],
    ['no JWT', 'neither.a.token'],
    ['the token that is held here', OTHER_TOKEN],
    ['the shared secret itself', SECRET],
    ['another secret', signedBySecret('another-secret-that-is-as-long-as-ours', claims)],
    ['expired', signedBySecret(SECRET, { ...claims, exp: inSeconds(-60) })],
    ['never expiring', signedBySecret(SECRET, { ...claims, exp: undefined })],
    ['an expiry that is no number', resignedClaims({ ...claims, exp: `${inSeconds(60)}` })],
    ['not valid yet', signedBySecret(SECRET, { ...claims, nbf: inSeconds(60) })],
    ['another issuer', signedBySecret(SECRET, { ...claims, iss: 'https://id.example.evil' })],
    ['no issuer', signedBySecret(SECRET, withoutIssuer)],
    ['another audience', signedBySecret(SECRET, { ...claims, aud: 'payroll' })],
    ['no audience', signedBySecret(SECRET, withoutAudience)],
    ['an audience of nobody', signedBySecret(SECRET, { ...claims, aud: [] })],
    ['alg none, unsigned', handMade({ alg: 'none' }, claims)],
    ['alg none, signed', resigned({ alg: 'none' })],
    ['alg NONE', handMade({ alg: 'NONE' }, claims)],
    ['no alg', resigned({ typ: 'JWT' })],
    ['signature cut off', `${head}.${body}.`],
    ['no signature', `${head}.${body}`],
    ['signature changed', `${whole.slice(0, -2)}${whole.endsWith('AA') ? 'BB' : 'AA'}`],
    ['claims changed', [head, Buffer.from('{"exp":9999999999}').toString('base64url'), whole.split('.')[2]].join('.')],
    ['an extension that we do not know, marked critical', resigned({ alg: 'HS256', crit: ['b64'], b64: false })],
    ['a key of its own in the header', resigned({ alg: 'HS256', jwk: { kty: 'oct', k: 'eA' } }, 'sha256', 'x')],
    ['claims that are no object', resignedText('"use_buscar_credito"')],
  ])('is rejected without a call: %s', async (_, token) => {
    const { data, errors, status } = await askWith(token);
    expect([status, data]).toEqual([200, { person: { credit: null } }]);
    expect(errors).toMatchObject([{ path: ['person', 'credit'], extensions: { code: 'UNAUTHENTICATED' } }]);
    if (token !== '') expect(JSON.stringify(errors) + padron.log.join()).not.toContain(token);
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

const start = padronStarter();

describe('a secret between the router and padron', () => {
  it.each([
    ['none', {}],
    ['an empty one', { 'x-subgraph-secret': '' }],
    ['another one', { 'x-subgraph-secret': 'what-only-the-router-knowz' }],
    ['its beginning', { 'x-subgraph-secret': ROUTER.slice(0, -1) }],
    ['more than it', { 'x-subgraph-secret': `${ROUTER} ${ROUTER}` }],
    ['it, elsewhere', { authorization: `Bearer ${ROUTER}` }],
  ])('rejects requests with %s', async (_, headers) => {
    const padron = await start({ SUBGRAPH_SECRET: ROUTER });
    expectRefusal(await send(padron.url, asking(headers)), 403, 'FORBIDDEN');
    expectRefusal(await send(`${padron.url}?query={__typename}`, { headers }), 403, 'FORBIDDEN');
    expect(padron.calls()).toEqual([]);
    expect(padron.log.join()).not.toContain(ROUTER);
  });

  it('accepts the router, and is not sent to the service', async () => {
    const padron = await start({ SUBGRAPH_SECRET: ROUTER });
    expect(outcomeIn(await send(padron.url, asking({ 'x-subgraph-secret': ROUTER })))).toBe('FOUND');
    expect(padron.log.join()).not.toContain(ROUTER);
  });

  it.each(['health/live', 'health/ready', 'metrics'])('is not needed for health and metrics: %s', async (path) => {
    const { url } = await start({ SUBGRAPH_SECRET: ROUTER });
    expect((await send(url.replace('graphql', path))).status).toBe(200);
  });

  it('does not replace the token of the account that pays', async () => {
    const padron = await start({ SUBGRAPH_SECRET: ROUTER });
    const { errors } = await padron.ask(
      `{ person(nss: "${nss}") { credit { outcome } } }`,
      {},
      {
        'x-subgraph-secret': ROUTER,
        authorization: '',
      },
    );
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(padron.calls()).toEqual([]);
  });
});

describe('a token held by the server (REGISTRY_TOKEN)', () => {
  const query = `{ person(nss: "${nss}") { credit { outcome problems { code message } evidence { billing units } } } }`;

  it.each([[`Bearer ${SANDBOX_TOKEN}`], [`Bearer ${UNPERMITTED_TOKEN}`], ['']])(
    "pays for calls, and the caller's own token is not sent to the service: %s",
    async (authorization) => {
      const padron = await runPadron({ environment: { REGISTRY_TOKEN: OTHER_TOKEN } });
      const { data, errors } = await padron.ask(query, {}, { authorization });
      const accounts = padron.callsInFull().map(({ account }) => account);
      const spent = [padron.spent(SANDBOX_TOKEN), padron.spent(OTHER_TOKEN)];
      await padron.stop();
      expect(errors).toBeUndefined();
      expect(data.person.credit.outcome).toBe('FOUND');
      expect({ accounts, spent }).toEqual({ accounts: [OTHER_TOKEN], spent: [0, 1] });
      expect(padron.log.join('')).not.toContain(OTHER_TOKEN);
    },
  );

  it('leads to an outcome, not to an error, if the service rejects it, because only the operator can renew it', async () => {
    const padron = await runPadron({ environment: { REGISTRY_TOKEN: 'revoked-token' } });
    const { data, errors } = await padron.ask(query);
    await padron.stop();
    expect(errors).toBeUndefined();
    expect(data.person.credit).toMatchObject({
      outcome: 'UNAVAILABLE',
      problems: [{ code: 'TOKEN_REFUSED', message: expect.stringContaining('operator') }],
      evidence: { billing: 'NOT_CHARGED', units: 0 },
    });
  });

  it.each([['Basic eDp5'], ['Bearer'], ['Bearer two words'], ['']])(
    'is not set: a caller must send a well-formed token, not «%s»',
    async (authorization) => {
      const padron = await runPadron();
      const { data, errors } = await padron.ask(query, {}, { authorization });
      const calls = padron.calls();
      await padron.stop();
      expect(data).toEqual({ person: { credit: null } });
      expect(errors).toMatchObject([{ path: ['person', 'credit'], extensions: { code: 'UNAUTHENTICATED' } }]);
      expect(calls).toEqual([]);
    },
  );
});
