import { SANDBOX_TOKEN, UNPERMITTED_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { negotiateLanguage } from '../../../src/server/http/content-negotiation';
import { findOrThrow } from '../../support/find-or-throw';
import { verifyMutation } from '../../support/keys/signatures';
import { payer } from '../../support/operations/employer-graph';
import { CREDIT } from '../../support/operations/people-endpoints';
import { somebody } from '../../support/operations/people-fields';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { LONG_SECRET } from '../../support/padrons/settings';
import { withPadron } from '../../support/padrons/with-padron';
import { expectRefusal, send, sendRaw } from '../../support/requests/http';
import { askPriced } from '../../support/requests/money';

describe('the header Host', () => {
  const { nss } = findOrThrow(people, ({ credit }) => Boolean(credit));
  const body = JSON.stringify({ query: `{ person(nss: "${nss}") { credit { outcome } } }` });
  const APP = 'https://app.example';

  const ask = (url: string, headers: Readonly<Record<string, string>>) =>
    send(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });

  const padron = padronForTests({ environment: { REGISTRY_TOKEN: SANDBOX_TOKEN, CORS_ORIGINS: APP } });

  describe('a server whose REGISTRY_TOKEN is only protected by the loopback address', () => {
    it.each([
      'localhost',
      'localhost:4000',
      'LOCALHOST:4000',
      'padron.localhost',
      'a.b.localhost:80',
      '127.0.0.1',
      '127.0.0.1:4000',
      '127.1.2.3:1',
      '[::1]',
      '[::1]:4000',
    ])('accepts host names of this machine: %s', async (host) => {
      const { status, text } = await ask(padron.url, { host });
      expect([status, JSON.parse(text).data]).toEqual([200, { person: { credit: { outcome: 'FOUND' } } }]);
      expect(padron.calls()).toEqual([CREDIT]);
    });

    it.each([
      'evil.example',
      'evil.example:4000',
      'localhost.evil.example',
      'evil-localhost',
      'localhost:4000.evil.example',
      '127.0.0.1.evil.example',
      '127.0.0.1:4000@evil.example',
      '128.0.0.1',
      '0.0.0.0:4000',
      '192.168.1.7:4000',
      '[::2]:4000',
      '.localhost',
    ])('rejects other host names: %s', async (host) => {
      const answer = await ask(padron.url, { host });
      expectRefusal(answer, 403, 'FORBIDDEN');
      expect(answer.text).toContain('localhost');
      expect(padron.calls()).toEqual([]);
    });

    it.each(['http://localhost:3000', 'http://127.0.0.1', 'https://padron.localhost', 'http://[::1]:8080', APP])(
      'accepts pages of this machine and of CORS_ORIGINS: %s',
      async (origin) => {
        expect((await ask(padron.url, { origin })).status).toBe(200);
        expect(padron.calls()).toEqual([CREDIT]);
      },
    );

    it.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'file://', 'http://localhost, http://a'])(
      'rejects other pages: %s',
      async (origin) => {
        expectRefusal(await ask(padron.url, { origin }), 403, 'FORBIDDEN');
        expect(padron.calls()).toEqual([]);
      },
    );

    it.each(['/health/live', '/metrics', '/graphql/explorer/settings.json', '/graphql', '/nothing'])(
      'rejects other host names on every path: GET %s',
      async (path) => {
        const headers = { host: 'evil.example', accept: 'text/html' };
        expectRefusal(await send(new URL(path, padron.url).href, { headers }), 403, 'FORBIDDEN');
      },
    );

    it('rejects a request without a host, which HTTP/1.0 allows', async () => {
      const head = ['POST /graphql HTTP/1.0', 'content-type: application/json', `content-length: ${body.length}`];
      expect(await sendRaw(padron.url, `${head.join('\r\n')}\r\n\r\n${body}`)).toMatch(/^HTTP\/1\.[01] 403 /);
      expect(padron.calls()).toEqual([]);
    });
  });

  describe('a server that authenticates its callers', () => {
    it.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
      ['a token of their own', {}, { authorization: `Bearer ${SANDBOX_TOKEN}` }],
      [
        'the secret of the router',
        { REGISTRY_TOKEN: SANDBOX_TOKEN, SUBGRAPH_SECRET: LONG_SECRET },
        { 'x-subgraph-secret': LONG_SECRET },
      ],
    ])('accepts any host name: %s', async (_, environment, headers) => {
      await withPadron({ environment }, async ({ url }) => {
        expect((await ask(url, { ...headers, host: 'graph.example' })).status).toBe(200);
      });
    });
  });
});

describe('the header Accept-Language', () => {
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
});
