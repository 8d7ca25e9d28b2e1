import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { employers } from '../../../../src/extensions/sandbox/data/employers';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { findReceipts } from '../../../../src/extensions/sandbox/documents/receipts';
import { cards, getCard, type TestCard } from '../../../../src/extensions/sandbox/test-cards/cards';
import { allEmployers } from '../../../../src/extensions/sandbox/test-cards/directory';
import { type Failure, failures } from '../../../../src/extensions/sandbox/test-cards/failures';
import { testPersonas } from '../../../../src/extensions/sandbox/test-cards/personas';
import { findOrThrow } from '../../../support/find-or-throw';
import { type Authority, mintAuthority } from '../../../support/keys/authority';
import { createSandboxClient } from '../../../support/sandbox/sandbox-client';
import { sandboxForTests } from '../../../support/sandbox/sandbox-for-tests';
import { askEndpoint, type Endpoint, endpoints, NOW, type Subject } from '../../../support/sandbox/sandbox-questions';

const somebody = findOrThrow(people, ({ licences, certificate }) => licences.length > 0 && certificate);
const someEmployer = findOrThrow(employers, ({ owes }) => !owes);
const invalidSignature = { password: 'x', certificate: Buffer.from('x'), privateKey: Buffer.from('x') };

/** Returns the owner of the card's identifier. The rest of the question belongs to a person and an employer without a card. */
function getSubject({ failure, identifier, value, month }: TestCard): Subject {
  const persona = testPersonas.find((candidate) => candidate.failure === failure);
  const employer = allEmployers.find(
    (candidate) => candidate.registration === value || candidate.obligatedSubjectId === value,
  );
  return {
    person: persona?.person ?? somebody,
    employer: employer ?? (identifier === 'rfc' && failure === 'slow' && persona ? persona.employer : someEmployer),
    signature: invalidSignature,
    ...(month === undefined ? {} : { month }),
  };
}

function makeInput(card: TestCard, { input }: Endpoint): Readonly<Record<string, unknown>> {
  const full = input(getSubject(card));
  return card.identifier === 'rfc' && 'rfc' in full ? { ...full, rfc: card.value } : full;
}

function listEndpoints(card: TestCard): readonly Endpoint[] {
  return endpoints.filter(
    ({ endpoint, identifiers }) =>
      identifiers.includes(card.identifier) && (card.endpoints?.includes(endpoint) ?? true),
  );
}

interface CardCase {
  readonly card: TestCard;
  readonly endpoint: Endpoint;
  readonly name: string;
}

/** Every card at every endpoint where it applies. */
const cardCases: readonly CardCase[] = cards.flatMap((card) =>
  listEndpoints(card).map((endpoint) => ({
    card,
    endpoint,
    name: `${card.failure} by ${card.identifier} ${card.value} at ${endpoint.endpoint}`,
  })),
);
const getCardCases = (failure: Failure): readonly CardCase[] =>
  cardCases.filter(({ card }) => card.failure === failure);

const isApi = ({ endpoint }: Endpoint): boolean => endpoint.includes(' /api/');
const error = (code: unknown) => ({ ok: false, error: { code } });
/** A body in the envelope of the path. */
const envelope = (data: unknown) => (endpoint: Endpoint) =>
  isApi(endpoint) ? { success: false, data } : error(expect.any(String));

/** The status of each failure, and a part of the body or of the headers. */
const rejections: Partial<Record<Failure, readonly [number, unknown]>> = {
  'not-found': [404, envelope([])],
  'bad-request': [400, envelope({ errors: expect.any(Object) })],
  unprocessable: [422, { message: expect.any(String), errors: expect.any(Object) }],
  'unprocessable-receipts': [422, error('VALIDATION_ERROR')],
  forbidden: [403, {}],
  'rate-limited': [429, {}],
  'rate-limited-for-a-day': [429, {}],
  'server-error': [500, {}],
  unavailable: [503, {}],
  IMSS_SESSION_REQUIRED: [401, error('IMSS_SESSION_REQUIRED')],
  IMSS_SESSION_EXPIRED: [401, error('IMSS_SESSION_EXPIRED')],
  IMSS_INCONSISTENT_DATA: [422, error('IMSS_INCONSISTENT_DATA')],
  IMSS_TRANSPORT_ERROR: [502, error('IMSS_TRANSPORT_ERROR')],
  IMSS_UPSTREAM_ERROR: [502, error('IMSS_UPSTREAM_ERROR')],
  IMSS_HTTP_ERROR: [502, error('IMSS_HTTP_ERROR')],
  IMSS_FILETYPE_ERROR: [502, error('IMSS_FILETYPE_ERROR')],
  html: [200, /^<!doctype html>/],
};
const waits: Partial<Record<Failure, string>> = { 'rate-limited': '1', 'rate-limited-for-a-day': '86400' };

const folder = mkdtempSync(join(tmpdir(), 'padron-cards-'));
afterAll(() => rmSync(folder, { recursive: true }));
const authorityFile = join(folder, 'authority.cer');
let authority: Authority;
beforeAll(async () => {
  authority = await mintAuthority();
  writeFileSync(authorityFile, authority.certificate);
});
const sandbox = sandboxForTests({ clock: () => NOW, slowMs: 5, authorities: [authorityFile] });
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
    const [status, part] = rejections[card.failure] ?? [];
    const { headers, ...reply } = await askEndpoint(client, endpoint.endpoint, makeInput(card, endpoint));
    expect(reply.status).toBe(status);
    if (part instanceof RegExp) expect(reply.body).toMatch(part);
    else expect(reply.body).toMatchObject(typeof part === 'function' ? part(endpoint) : part);
    const paid = card.failure === 'not-found' || card.failure === 'html';
    expect(sandbox.calls.map(({ units }) => units)).toEqual([paid ? endpoint.units : 0]);
    if (card.failure in waits) expect(headers.get('retry-after')).toBe(waits[card.failure]);
  });
});

describe('a slow answer', () => {
  it.each(getCardCases('slow'))('$name is correct', async ({ card, endpoint }) => {
    const { password, certificate, privateKey } = await authority.issue({
      rfc: card.value,
      curp: getCard('slow', 'curp').value,
      name: 'TARJETA LENTA',
    });
    const signature = endpoint.endpoint.includes('verificar-firma') ? { password, certificate, privateKey } : {};
    const reply = await askEndpoint(client, endpoint.endpoint, { ...makeInput(card, endpoint), ...signature });
    expect([reply.status, sandbox.calls[0]?.units]).toEqual([200, endpoint.units]);
    if (
      card.identifier !== 'rfc' &&
      card.identifier !== 'obligatedSubject' &&
      !endpoint.endpoint.includes('descargar-constancia')
    ) {
      const body = JSON.stringify(reply.body);
      expect(body).toContain(card.identifier === 'nss' ? String(Number(card.value)) : card.value);
    }
  });
});

/** A body without what differs from one answer to the next. */
function withoutVaryingParts(body: unknown): string {
  if (typeof body === 'string') return body.slice(0, 5);
  const passing = ['codigoValidacion', 'url', 'url_constancia'];
  return JSON.stringify(body, (name, value: unknown) => (passing.includes(name) ? undefined : value));
}

describe('an answer about another person', () => {
  it.each(getCardCases('somebody-else'))('$name is the fixed one', async ({ card, endpoint }) => {
    const reply = await askEndpoint(client, endpoint.endpoint, makeInput(card, endpoint));
    const stranger = { person: findOrThrow(people, () => true), employer: findOrThrow(employers, () => true) };
    const direct = await askEndpoint(client, endpoint.endpoint, endpoint.input(stranger));
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, direct.headers.get('content-type')]);
    expect(withoutVaryingParts(reply.body)).toEqual(withoutVaryingParts(direct.body));
    expect(withoutVaryingParts(reply.body)).not.toContain(card.value);
  });
});

describe('a failure of one part', () => {
  it('the month fails in June of every year, with its folios', async () => {
    const receipts = 'POST /private/comprobantes-fiscales';
    const card = findOrThrow(cards, ({ month }) => month === 6);
    const employer = findOrThrow(allEmployers, ({ registration }) => registration === card.value);
    for (const anio of [2024, 2025, 2026]) {
      const month = { registro_patronal: card.value, anio, mes: 6 };
      const folio_sua = findReceipts(employer, `${anio}06`, NOW)[0]?.folio;
      expect((await askEndpoint(client, receipts, month)).status).toBe(502);
      expect((await askEndpoint(client, `${receipts}/descargar`, { ...month, folio_sua })).status).toBe(502);
    }
  });
});
