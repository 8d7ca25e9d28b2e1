import { UNPERMITTED_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { negotiateLanguage } from '../../../src/server/http/content-negotiation';
import { verifyMutation } from '../../support/keys/signatures';
import { payer } from '../../support/operations/employer-graph';
import { CREDIT } from '../../support/operations/people-endpoints';
import { somebody } from '../../support/operations/people-fields';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { askPriced } from '../../support/requests/money';

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
