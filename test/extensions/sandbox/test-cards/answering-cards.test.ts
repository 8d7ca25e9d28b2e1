import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { employers } from '../../../../src/extensions/sandbox/data/employers';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { findReceipts } from '../../../../src/extensions/sandbox/documents/receipts';
import { type Sandbox, startSandbox } from '../../../../src/extensions/sandbox/service';
import { cards, getCard } from '../../../../src/extensions/sandbox/test-cards/cards';
import { allEmployers } from '../../../../src/extensions/sandbox/test-cards/directory';
import { findOrThrow } from '../../../support/find-or-throw';
import { type Authority, mintAuthority } from '../../../support/keys/authority';
import { createSandboxClient, type SandboxClient } from '../../../support/sandbox/sandbox-client';
import { askEndpoint, NOW } from '../../../support/sandbox/sandbox-questions';
import { getCardCases, makeInput } from './card-cases';

const CONSTANCIA = 'POST /api/sep/grupo/descargar-constancia-profesional';
const LIST = 'POST /private/comprobantes-fiscales';
const DOWNLOAD = 'POST /private/comprobantes-fiscales/descargar';
const SIGNATURE = 'POST /api/sat/grupo/verificar-firma-electronica';
const folder = mkdtempSync(join(tmpdir(), 'padron-cards-'));

let authority: Authority;
let sandbox: Sandbox;
let client: SandboxClient;

beforeAll(async () => {
  authority = await mintAuthority();
  const file = join(folder, 'authority.cer');
  writeFileSync(file, authority.certificate);
  sandbox = await startSandbox({ clock: () => NOW, slowMs: 5, authorities: [file] });
  client = createSandboxClient(sandbox);
});
beforeEach(() => sandbox.clearCalls());
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

describe('a slow answer', () => {
  it.each(getCardCases('slow'))('$name is correct', async ({ card, endpoint }) => {
    const { password, certificate, privateKey } = await authority.issue({
      rfc: card.value,
      curp: getCard('slow', 'curp').value,
      name: 'TARJETA LENTA',
    });
    const signature = endpoint.endpoint === SIGNATURE ? { password, certificate, privateKey } : {};
    const reply = await askEndpoint(client, endpoint.endpoint, { ...makeInput(card, endpoint), ...signature });
    expect([reply.status, sandbox.calls[0]?.units]).toEqual([200, endpoint.units]);
    if (card.identifier !== 'rfc' && card.identifier !== 'obligatedSubject' && endpoint.endpoint !== CONSTANCIA) {
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
    const card = findOrThrow(cards, ({ month }) => month === 6);
    const employer = findOrThrow(allEmployers, ({ registration }) => registration === card.value);
    for (const anio of [2024, 2025, 2026]) {
      const month = { registro_patronal: card.value, anio, mes: 6 };
      const folio_sua = findReceipts(employer, `${anio}06`, NOW)[0]?.folio;
      expect((await askEndpoint(client, LIST, month)).status).toBe(502);
      expect((await askEndpoint(client, DOWNLOAD, { ...month, folio_sua })).status).toBe(502);
    }
  });
});
