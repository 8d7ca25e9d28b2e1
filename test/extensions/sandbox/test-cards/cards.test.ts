import { cards } from '../../../../src/extensions/sandbox/test-cards/cards';
import { type Failure, failures } from '../../../../src/extensions/sandbox/test-cards/failures';
import { createSandboxClient } from '../../../support/sandbox/sandbox-client';
import { sandboxForTests } from '../../../support/sandbox/sandbox-for-tests';
import { askEndpoint, endpoints, NOW } from '../../../support/sandbox/sandbox-questions';
import { cardCases, getCardCases, makeInput } from './card-cases';

/** The status and a part of the body of each failure. */
const rejections: Partial<Record<Failure, readonly [number, unknown]>> = {
  'not-found': [404, expect.anything()],
  'bad-request': [400, expect.anything()],
  unprocessable: [422, { message: expect.any(String), errors: expect.any(Object) }],
  'unprocessable-receipts': [422, { ok: false, error: { code: 'VALIDATION_ERROR' } }],
  forbidden: [403, expect.anything()],
  'rate-limited': [429, expect.anything()],
  'rate-limited-for-a-day': [429, expect.anything()],
  'server-error': [500, expect.anything()],
  unavailable: [503, expect.anything()],
  IMSS_SESSION_REQUIRED: [401, { ok: false, error: { code: 'IMSS_SESSION_REQUIRED' } }],
  IMSS_SESSION_EXPIRED: [401, { ok: false, error: { code: 'IMSS_SESSION_EXPIRED' } }],
  IMSS_INCONSISTENT_DATA: [422, { ok: false, error: { code: 'IMSS_INCONSISTENT_DATA' } }],
  IMSS_TRANSPORT_ERROR: [502, { ok: false, error: { code: 'IMSS_TRANSPORT_ERROR' } }],
  IMSS_UPSTREAM_ERROR: [502, { ok: false, error: { code: 'IMSS_UPSTREAM_ERROR' } }],
  IMSS_HTTP_ERROR: [502, { ok: false, error: { code: 'IMSS_HTTP_ERROR' } }],
  IMSS_FILETYPE_ERROR: [502, { ok: false, error: { code: 'IMSS_FILETYPE_ERROR' } }],
  html: [200, expect.stringMatching(/^<!doctype html>/)],
};

const sandbox = sandboxForTests({ clock: () => NOW });
const client = createSandboxClient(sandbox);
beforeEach(() => sandbox.clearCalls());

describe('the table of test cards', () => {
  it('causes every rejection at every endpoint that takes an identifier', () => {
    const wanted = Object.keys(rejections).flatMap((failure) =>
      endpoints.map(({ endpoint }) => `${failure} ${endpoint}`),
    );
    const played = new Set(cardCases.map(({ card, endpoint }) => `${card.failure} ${endpoint.endpoint}`));
    expect(wanted.filter((name) => !played.has(name))).toEqual([]);
  });

  it('has a card for each failure, each with its own identifier', () => {
    expect(new Set(cards.map(({ failure }) => failure))).toEqual(new Set(failures.map(({ name }) => name)));
    expect(new Set(cards.map(({ identifier, value }) => `${identifier} ${value}`)).size).toBe(cards.length);
  });
});

describe('a rejection', () => {
  it.each(cardCases.filter(({ card }) => card.failure in rejections))('$name', async ({ card, endpoint }) => {
    const [status, body] = rejections[card.failure] ?? [];
    const reply = await askEndpoint(client, endpoint.endpoint, makeInput(card, endpoint));
    expect(reply.status).toBe(status);
    if (typeof reply.body === 'string') expect(reply.body).toEqual(body);
    else expect(reply.body).toMatchObject(body as object);
    const paid = card.failure === 'not-found' || card.failure === 'html';
    expect(sandbox.calls.map(({ units }) => units)).toEqual([paid ? endpoint.units : 0]);
  });

  it.each(getCardCases('rate-limited', 'rate-limited-for-a-day'))(
    '$name gives the time to wait',
    async ({ card, endpoint }) => {
      const { headers } = await askEndpoint(client, endpoint.endpoint, makeInput(card, endpoint));
      expect(headers.get('retry-after')).toBe(card.failure === 'rate-limited' ? '1' : '86400');
    },
  );

  it.each(getCardCases('not-found', 'bad-request'))(
    '$name keeps the envelope of its path',
    async ({ card, endpoint }) => {
      const { body } = await askEndpoint(client, endpoint.endpoint, makeInput(card, endpoint));
      const data = card.failure === 'not-found' ? [] : { errors: expect.any(Object) };
      const isApi = endpoint.endpoint.includes(' /api/');
      expect(body).toMatchObject(isApi ? { success: false, data } : { ok: false, error: { code: expect.any(String) } });
    },
  );
});
