import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cardFor, cards, type TestCard } from '../src/sandbox/cards';
import { players } from '../src/sandbox/cast';
import { everyEmployer } from '../src/sandbox/directory';
import { employers } from '../src/sandbox/employers';
import { type Failure, failures } from '../src/sandbox/failures';
import { people } from '../src/sandbox/people';
import { receiptsOf } from '../src/sandbox/receipts';
import { type Sandbox, startSandbox } from '../src/sandbox/service';
import { type Authority, mintAuthority } from './support/authority';
import { clientOf, type Reply, type SandboxClient } from './support/sandbox-client';
import { askEndpoint, type Endpoint, endpoints, NOW, type Subject, theFirst } from './support/sandbox-questions';

/** What each failure looks like on the wire: status, and a part of the body. */
const refusals: Partial<Record<Failure, readonly [number, unknown]>> = {
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
const CONSTANCIA = 'POST /api/sep/grupo/descargar-constancia-profesional';
const LIST = 'POST /private/comprobantes-fiscales';
const DOWNLOAD = 'POST /private/comprobantes-fiscales/descargar';
const SIGNATURE = 'POST /api/sat/grupo/verificar-firma-electronica';
const folder = mkdtempSync(join(tmpdir(), 'padron-cards-'));
const somebody = theFirst(people, ({ licences, certificate }) => licences.length > 0 && certificate);
const someEmployer = theFirst(employers, ({ owes }) => !owes);

let authority: Authority;
let sandbox: Sandbox;
let client: SandboxClient;

beforeAll(async () => {
  authority = await mintAuthority();
  const file = join(folder, 'authority.cer');
  writeFileSync(file, authority.certificate);
  sandbox = await startSandbox({ clock: () => NOW, slowMs: 5, authorities: [file] });
  client = clientOf(sandbox);
});
beforeEach(() => sandbox.clearCalls());
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const rubbish = { password: 'x', certificate: Buffer.from('x'), privateKey: Buffer.from('x') };

/** Whoever holds the card's identifier; all else in the question is somebody's who plays no failure. */
function subjectOf({ failure, identifier, value, month }: TestCard): Subject {
  const player = players.find((one) => one.failure === failure);
  const employer = everyEmployer.find((one) => one.registration === value || one.obligatedSubjectId === value);
  return {
    person: player?.person ?? somebody,
    employer: employer ?? (identifier === 'rfc' && failure === 'slow' && player ? player.employer : someEmployer),
    signature: rubbish,
    ...(month === undefined ? {} : { month }),
  };
}

function inputOf(card: TestCard, { input }: Endpoint): Readonly<Record<string, unknown>> {
  const full = input(subjectOf(card));
  return card.identifier === 'rfc' && 'rfc' in full ? { ...full, rfc: card.value } : full;
}

function endpointsOf(card: TestCard): readonly Endpoint[] {
  return endpoints.filter(
    ({ endpoint, identifiers }) =>
      identifiers.includes(card.identifier) && (card.endpoints?.includes(endpoint) ?? true),
  );
}

const plays = cards.flatMap((card) =>
  endpointsOf(card).map((endpoint) => ({
    card,
    endpoint,
    name: `${card.failure} by ${card.identifier} ${card.value} at ${endpoint.endpoint}`,
  })),
);
const only = (...wanted: readonly Failure[]) => plays.filter(({ card }) => wanted.includes(card.failure));

describe('the table of test cards', () => {
  it('plays every refusal on every endpoint that takes an identifier', () => {
    const wanted = Object.keys(refusals).flatMap((failure) =>
      endpoints.map(({ endpoint }) => `${failure} ${endpoint}`),
    );
    const played = new Set(plays.map(({ card, endpoint }) => `${card.failure} ${endpoint.endpoint}`));
    expect(wanted.filter((one) => !played.has(one))).toEqual([]);
  });

  it('holds a card of each failure, each under its own identifier', () => {
    expect(new Set(cards.map(({ failure }) => failure))).toEqual(new Set(failures.map(({ name }) => name)));
    expect(new Set(cards.map(({ identifier, value }) => `${identifier} ${value}`)).size).toBe(cards.length);
  });
});

describe('a refusal', () => {
  it.each(plays.filter(({ card }) => card.failure in refusals))('$name', async ({ card, endpoint }) => {
    const [status, body] = refusals[card.failure] ?? [];
    const reply = await askEndpoint(client, endpoint.endpoint, inputOf(card, endpoint));
    expect(reply.status).toBe(status);
    if (typeof reply.body === 'string') expect(reply.body).toEqual(body);
    else expect(reply.body).toMatchObject(body as object);
    const paid = card.failure === 'not-found' || card.failure === 'html';
    expect(sandbox.calls.map(({ units }) => units)).toEqual([paid ? endpoint.units : 0]);
  });

  it.each(only('rate-limited', 'rate-limited-for-a-day'))('$name tells when to return', async ({ card, endpoint }) => {
    const { headers } = await askEndpoint(client, endpoint.endpoint, inputOf(card, endpoint));
    expect(headers.get('retry-after')).toBe(card.failure === 'rate-limited' ? '1' : '86400');
  });

  it.each(only('not-found', 'bad-request'))('$name keeps the envelope of its path', async ({ card, endpoint }) => {
    const { body } = await askEndpoint(client, endpoint.endpoint, inputOf(card, endpoint));
    const data = card.failure === 'not-found' ? [] : { errors: expect.any(Object) };
    const isApi = endpoint.endpoint.includes(' /api/');
    expect(body).toMatchObject(isApi ? { success: false, data } : { ok: false, error: { code: expect.any(String) } });
  });
});

describe('a slow answer', () => {
  it.each(only('slow'))('$name is a good one', async ({ card, endpoint }) => {
    const { password, certificate, privateKey } = await authority.issue({
      rfc: card.value,
      curp: cardFor('slow', 'curp').value,
      name: 'TARJETA LENTA',
    });
    const signature = endpoint.endpoint === SIGNATURE ? { password, certificate, privateKey } : {};
    const reply = await askEndpoint(client, endpoint.endpoint, { ...inputOf(card, endpoint), ...signature });
    expect([reply.status, sandbox.calls[0]?.units]).toEqual([200, endpoint.units]);
    if (card.identifier !== 'rfc' && card.identifier !== 'obligatedSubject' && endpoint.endpoint !== CONSTANCIA) {
      const told = JSON.stringify(reply.body);
      expect(told).toContain(card.identifier === 'nss' ? String(Number(card.value)) : card.value);
    }
  });
});

/** A body without what differs from one answer to the next. */
function lasting(body: unknown): string {
  if (typeof body === 'string') return body.slice(0, 5);
  const passing = ['codigoValidacion', 'url', 'url_constancia'];
  return JSON.stringify(body, (name, value: unknown) => (passing.includes(name) ? undefined : value));
}

describe("somebody else's answer", () => {
  it.each(only('somebody-else'))('$name is the fixed one', async ({ card, endpoint }) => {
    const told = await askEndpoint(client, endpoint.endpoint, inputOf(card, endpoint));
    const stranger = { person: theFirst(people, () => true), employer: theFirst(employers, () => true) };
    const direct = await askEndpoint(client, endpoint.endpoint, endpoint.input(stranger));
    expect([told.status, told.headers.get('content-type')]).toEqual([200, direct.headers.get('content-type')]);
    expect(lasting(told.body)).toEqual(lasting(direct.body));
    expect(lasting(told.body)).not.toContain(card.value);
  });

  it('is the same person, whoever is asked for', async () => {
    const { body } = await client.query('/api/renapo/grupo/valida-curp', {
      curp: cardFor('somebody-else', 'curp').value,
    });
    const credit = await client.query('/api/infonavit/grupo/buscar-credito', {
      nss: cardFor('somebody-else', 'nss').value,
    });
    const { data } = body as { readonly data: { readonly curp: string } };
    expect(credit.body).toMatchObject({ data: { scurp: data.curp } });
  });
});

function linkIn({ body }: Reply): string {
  const { data, files } = body as { data?: { url_constancia: string }; files?: { xml: { url: string } } };
  return data?.url_constancia ?? files?.xml.url ?? '';
}

describe('a link', () => {
  const linked = (failure: Failure) => only(failure);

  it.each(linked('expired-link'))('$name is 410', async ({ card, endpoint }) => {
    const reply = await askEndpoint(client, endpoint.endpoint, inputOf(card, endpoint));
    expect(reply.status).toBe(200);
    expect((await client.get(linkIn(reply))).status).toBe(410);
  });

  it.each(linked('unusable-link'))('$name is a page of HTML', async ({ card, endpoint }) => {
    const { status, headers } = await client.get(
      linkIn(await askEndpoint(client, endpoint.endpoint, inputOf(card, endpoint))),
    );
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it.each(linked('foreign-link'))('$name is on another host', async ({ card, endpoint }) => {
    const link = new URL(linkIn(await askEndpoint(client, endpoint.endpoint, inputOf(card, endpoint))));
    expect(link.host).not.toBe(new URL(sandbox.url).host);
  });
});

describe('a failure in one part', () => {
  const parts = cards.filter(
    ({ value }) =>
      !players.some(({ employer, person }) =>
        [
          ...Object.values(employer),
          ...Object.values(person),
          person.licences[0]?.number,
          person.certificate?.folio,
        ].includes(value),
      ),
  );

  it.each(parts)('$description: all else is well', async (card) => {
    const others = endpoints.filter(
      ({ endpoint, identifiers }) => identifiers.includes('registration') && !card.endpoints?.includes(endpoint),
    );
    const subject = { ...subjectOf(card), month: 7 };
    const asked =
      card.month === undefined ? others : endpoints.filter(({ identifiers }) => identifiers.includes('registration'));
    for (const { endpoint, input } of asked) {
      expect([endpoint, (await askEndpoint(client, endpoint, input(subject))).status]).toEqual([endpoint, 200]);
    }
    expect(asked.length).toBeGreaterThan(2);
  });

  it('the bad month fails in June of every year, its folios too', async () => {
    const card = theFirst(cards, ({ month }) => month === 6);
    const employer = theFirst(everyEmployer, ({ registration }) => registration === card.value);
    for (const anio of [2024, 2025, 2026]) {
      const month = { registro_patronal: card.value, anio, mes: 6 };
      const folio_sua = receiptsOf(employer, `${anio}06`, NOW)[0]?.folio;
      expect((await askEndpoint(client, LIST, month)).status).toBe(502);
      expect((await askEndpoint(client, DOWNLOAD, { ...month, folio_sua })).status).toBe(502);
    }
  });
});
