import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SANDBOX_TOKEN, UNPERMITTED_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { negotiateLanguage } from '../../../src/server/http/content-negotiation';
import { verifyMutation } from '../../support/keys/signatures';
import { payer } from '../../support/operations/employer-graph';
import { CREDIT } from '../../support/operations/people-endpoints';
import { somebody } from '../../support/operations/people-fields';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { expectRefusal, type HttpAnswer, type Sent, send } from '../../support/requests/http';
import { askPriced } from '../../support/requests/money';

type Refused = readonly [headers: NonNullable<Sent['headers']>, message: string];

describe('the headers of padron', () => {
  const examples = join(__dirname, '../../../schema/examples');
  const query = readFileSync(join(examples, 'person-credit.graphql'), 'utf8');
  const variables = { nss: somebody.nss };
  const toolCall = { name: 'PersonCredit', arguments: variables };
  const bodies: Readonly<Record<string, object>> = {
    '/graphql': { query, variables },
    '/mcp': { jsonrpc: '2.0', id: 1, method: 'tools/call', params: toolCall },
  };
  const padron = padronForTests({
    environment: { MCP: 'on', MCP_MAX_UNITS: '1', TRUSTED_DOCUMENTS: examples, PURPOSES: 'hiring' },
  });
  /** Sends an operation that costs a unit. */
  const sendPaid = (headers: NonNullable<Sent['headers']>, path = '/graphql'): Promise<HttpAnswer> =>
    send(new URL(path, padron.url).href, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${SANDBOX_TOKEN}`,
        ...headers,
      },
      body: JSON.stringify(bodies[path]),
    });
  const messageOf = ({ text }: HttpAnswer): string => JSON.parse(text).errors[0].message;
  /** Asserts a refusal in the form of the path: of GraphQL, or of JSON-RPC. */
  const expectMessage = (path: string, { status, text, ...rest }: HttpAnswer, message: unknown): void => {
    if (path === '/graphql') expectRefusal({ status, text, ...rest }, 400, 'BAD_USER_INPUT');
    const { errors: [{ message: ofGraph, extensions = {} }] = [{}], error = {} } = JSON.parse(text);
    expect([status, ofGraph ?? error.message, error.data?.code ?? extensions.code]).toEqual([
      400,
      message,
      'BAD_USER_INPUT',
    ]);
  };

  it.each(['/graphql', '/mcp'])('are refused before a call if one is mistyped: %s', async (path) => {
    const answer = await sendPaid({ 'x-dryrun': 'true' }, path);
    expectMessage(path, answer, 'There is no header `x-dryrun`. Did you mean `x-dry-run`?');
    expect(padron.calls()).toEqual([]);
  });

  it.each([
    ['x-max-unit', 'x-max-units'],
    ['x-max-unitss', 'x-max-units'],
    ['X-Max-Umits', 'x-max-units'],
    ['x-max-unist', 'x-max-units'],
    ['x-dry_run', 'x-dry-run'],
    ['x_dry_run', 'x-dry-run'],
    ['x-operationid', 'x-operation-id'],
    ['x-operation_keep', 'x-operation-keep'],
    ['x-operation-retri', 'x-operation-retry'],
    ['x-tags', 'x-tag'],
    ['x-sandbox-delays', 'x-sandbox-delay'],
  ])('name the header that is one edit away: %s', async (mistyped, meant) => {
    const answer = await sendPaid({ [mistyped]: '0' });
    expectRefusal(answer, 400, 'BAD_USER_INPUT');
    expect(messageOf(answer)).toBe(`There is no header \`${mistyped.toLowerCase()}\`. Did you mean \`${meant}\`?`);
    expect(padron.calls()).toEqual([]);
  });

  it('are not confused with the headers that proxies, browsers and tracers add', async () => {
    const foreign = `
      x-request-id x-real-ip x-forwarded-for x-forwarded-host x-forwarded-port x-forwarded-proto x-forwarded-server
      x-forwarded-prefix x-forwarded-client-cert x-original-url x-original-host x-amzn-trace-id x-amz-cf-id
      x-amzn-oidc-data x-cloud-trace-context x-correlation-id x-trace-id x-b3-traceid x-b3-spanid x-b3-parentspanid
      x-b3-sampled x-b3-flags x-datadog-trace-id x-client-ip x-client-id x-client-version x-cluster-client-ip
      x-envoy-attempt-count x-envoy-expected-rq-timeout-ms x-ot-span-context x-azure-ref x-arr-log-id x-vercel-id
      x-nf-request-id x-requested-with x-csrf-token x-xsrf-token x-api-key x-auth-token x-access-token x-tenant-id
      x-apollo-operation-name x-apollo-operation-id x-apollo-cache-key x-graphql-client-name x-operation-name
      x-user-agent x-user-id x-device-id x-session-id x-scheme x-host x-via x-referer x-http-method-override`;
    const answer = await sendPaid(
      Object.fromEntries(
        foreign
          .trim()
          .split(/\s+/)
          .map((name) => [name, '1']),
      ),
    );
    expect([answer.status, padron.calls()]).toEqual([200, [CREDIT]]);
  });

  it.each([
    ['x-reference', 'EXP-1', 'EXP-2'],
    ['x-tag', 'CC-101', 'CC-102'],
    ['x-client-name', 'payroll', 'credit'],
    ['apollographql-client-name', 'payroll', 'credit'],
    ['x-purpose', 'hiring', 'hiring'],
    ['x-operation-keep', '1d', '7d'],
    ['x-operation-retry', 'unknown', 'unknown'],
    ['x-max-age', '0s', '1d'],
    ['x-max-units', '1', '9'],
    ['x-dry-run', 'true', 'false'],
    ['idempotency-key', 'a', 'b'],
    ['authorization', 'Bearer a', 'Bearer b'],
  ])('are refused if one has two values: %s', async (name, ...values) => {
    const answer = await sendPaid({ [name]: values });
    expectRefusal(answer, 400, 'BAD_USER_INPUT');
    expect(messageOf(answer)).toBe(`The header \`${name}\` has 2 values. Send one.`);
    expect(padron.calls()).toEqual([]);
  });

  const utf8 = (text: string): string => Buffer.from(text).toString('latin1');
  it.each(
    ['x-reference', 'x-tag', 'x-client-name', 'apollographql-client-name', 'x-purpose'].flatMap((name) => [
      [name, 'in Latin-1', 'Compañía'],
      [name, 'damaged before', utf8('Compa\ufffd\ufffda')],
    ]),
  )('are refused before a call if a text is not UTF-8: %s %s', async (name, _how, value) => {
    for (const path of ['/graphql', '/mcp']) {
      const answer = await sendPaid({ [name]: value }, path);
      expectMessage(path, answer, expect.stringContaining(`The header \`${name}\` is not UTF-8`));
    }
    expect(padron.calls()).toEqual([]);
  });

  it('may have accents and spaces at their ends in UTF-8', async () => {
    const answer = await sendPaid({ 'x-tag': ` ${utf8('Compañía')}\t`, 'x-reference': utf8('Peña') });
    expect([answer.status, answer.headers['x-label-dropped'], padron.calls()]).toEqual([200, undefined, [CREDIT]]);
  });

  const secretId = '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0';
  const malformed =
    'The header `x-operation-keep` must be hours or days such as `12h` or `1d`, at most `7d` here (KEEP_DAYS).';
  it.each([
    ...['7', '0d', '0h', '8d', '169h', '1.5d', '-1d', '7D', '7 d', 'forever', ''].map(
      (keep): Refused => [{ 'x-operation-id': secretId, 'x-operation-keep': keep }, malformed],
    ),
    ...['', '2', '2 minutes', '-1s', '1e3ms', '2s, 3s', '61s'].map(
      (time): Refused => [
        { 'x-answer-within': time },
        'The header `x-answer-within` must be a time of up to 60s such as `2s` or `800ms`.',
      ],
    ),
    [
      { 'x-operation-keep': '7d' },
      'The header `x-operation-keep` needs an operation. Send its ID in `x-operation-id` too.',
    ],
    [
      { 'x-operation-retry': 'unknown' },
      'The header `x-operation-retry` needs an operation. Send its ID in `x-operation-id` too.',
    ],
    [{ 'x-operation-id': secretId, 'x-operation-retry': 'all' }, 'The header `x-operation-retry` must be `unknown`.'],
    [
      { 'x-operation-id': secretId.slice(0, 19), 'x-operation-keep': '12h' },
      'An operation that lasts needs an ID of 20 to 200 characters in `x-operation-id`, because the ID is its secret. Send a random one, such as a UUID.',
    ],
    [
      { 'x-operation-id': secretId, 'x-operation-keep': '7d' },
      'The header `x-operation-keep` needs a store, and padron runs without one here. Send the request without the header, or ask the operator to set DATA_DIR or DATABASE_URL.',
    ],
    [
      { 'x-max-age': '30d' },
      'The header `x-max-age` needs a store, and padron runs without one here. Leave it out, or ask the operator to set DATA_DIR or DATABASE_URL.',
    ],
  ] satisfies Refused[])(
    'are refused before a call if they are malformed, or if nothing can be kept: %j',
    async (headers, message) => {
      const answer = await sendPaid(headers);
      expectRefusal(answer, 400, 'BAD_USER_INPUT');
      expect(messageOf(answer)).toBe(message);
      expect(answer.text).not.toContain(secretId);
      expect(padron.calls()).toEqual([]);
    },
  );

  it('accept a list of languages in two lines, as HTTP allows', async () => {
    expect((await sendPaid({ 'accept-language': ['de', 'es'] })).status).toBe(200);
  });
});

describe('the language of a request', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['en', 'en'],
    ['*', 'en'],
    ['de, fr;q=0.5', 'en'],
    ['es', 'es'],
    ['es-MX', 'es'],
    ['ES-419,es;q=0.9,en;q=0.8', 'es'],
    ['en-US,en;q=0.9,es;q=0.8', 'en'],
    ['fr,es;q=0.4', 'es'],
    ['es;q=0', 'en'],
    [';;q=es,,', 'en'],
  ])('of %j is %s', (header, language) => {
    expect(negotiateLanguage(header)).toBe(language);
  });
});

describe('accept-language: es', () => {
  const padron = padronForTests();
  const spanish = { 'accept-language': 'es-MX,es;q=0.9' };

  it('returns problems in Spanish, with the same limits and codes', async () => {
    const query =
      '{ person(nss: "123", curp: "X") { credit { problems { code message } } identity { problems { code message } } } }';
    const { status, data, headers } = await padron.ask(query, {}, spanish);
    expect(status).toBe(200);
    expect(headers['x-request-id']).toBeDefined();
    expect(data.person).toEqual({
      credit: {
        problems: [
          {
            code: 'INVALID_FORMAT',
            message: 'Un NSS tiene 11 dígitos, con los ceros a la izquierda; este tiene 3 caracteres.',
          },
        ],
      },
      identity: { problems: [{ code: 'INVALID_FORMAT', message: 'Una CURP tiene 18 caracteres; esta tiene 1.' }] },
    });
    expect(padron.calls()).toEqual([]);
  });

  it('returns problems of months, missing identifiers and signatures in Spanish', async () => {
    const query = `query ($registration: EmployerRegistration!) {
    employer(registration: $registration) { receiptsBetween(from: "2025-02", to: "2025-01") { problems { message } } }
    person { credit { problems { message } } } }`;
    const { data } = await padron.ask(query, { registration: payer.registration }, spanish);
    expect(data.employer.receiptsBetween[0].problems[0].message).toBe(
      'El primer mes es posterior al último. Intercámbielos.',
    );
    expect(data.person.credit.problems[0].message).toBe('Este campo necesita el NSS. Agregue ese dato.');
    const file = { base64: 'AAAA' };
    const input = { rfc: somebody.rfc, password: 'x', certificate: file, privateKey: file };
    const answer = await padron.ask(verifyMutation, { input }, spanish);
    const messages = answer.data.verifySignature.problems.map(({ message }: { readonly message: string }) => message);
    expect(messages).toContain(
      'El archivo no es un certificado X.509. Envíe el archivo .cer tal como lo emitió el SAT.',
    );
    expect(padron.calls()).toEqual([]);
  });

  it('returns problems of an estimate in Spanish, with code and message only', async () => {
    const query = '{ person(nss: "123") { credit { outcome } } }';
    const { estimate } = await askPriced(padron, { query }, { ...spanish, 'x-dry-run': 'true' });
    expect(estimate?.problems).toEqual([
      {
        code: 'INVALID_FORMAT',
        message: 'Un NSS tiene 11 dígitos, con los ceros a la izquierda; este tiene 3 caracteres.',
        path: ['nss'],
        retryable: false,
        retryAfter: null,
      },
    ]);
  });

  it('returns each request its own language if two requests share a failing call', async () => {
    const query = `{ person(nss: "${somebody.nss}") { credit { problems { code message } } } }`;
    const [en, es] = await Promise.all([
      padron.ask(query, {}, { authorization: `Bearer ${UNPERMITTED_TOKEN}` }),
      padron.ask(query, {}, { authorization: `Bearer ${UNPERMITTED_TOKEN}`, ...spanish }),
    ]);
    const problems = [en, es].map(({ data }) => data.person.credit?.problems?.[0]);
    expect(problems).toEqual([
      { code: 'MISSING_PERMISSION', message: expect.stringMatching(/^The account lacks the permission/) },
      { code: 'MISSING_PERMISSION', message: expect.stringMatching(/^La cuenta no tiene el permiso/) },
    ]);
    expect(padron.calls()).toEqual([CREDIT]);
  });
});
