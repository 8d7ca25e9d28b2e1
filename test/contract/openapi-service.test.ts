import {
  NO_UNITS_TOKEN,
  SANDBOX_TOKEN,
  THROTTLED_TOKEN,
  UNPERMITTED_TOKEN,
} from '../../src/extensions/sandbox/accounts/accounts';
import { employers } from '../../src/extensions/sandbox/data/employers';
import { people, type SandboxPerson } from '../../src/extensions/sandbox/data/people';
import { sandboxCredentials } from '../../src/extensions/sandbox/efirma/credentials';
import type { IdentifierKind } from '../../src/extensions/sandbox/protocol/route';
import { cards } from '../../src/extensions/sandbox/test-cards/cards';
import type { Failure } from '../../src/extensions/sandbox/test-cards/failures';
import { documentedLinks } from '../support/registry-interface';
import { sandboxForTests } from '../support/sandbox/sandbox-for-tests';
import {
  type Ask,
  asked,
  askers,
  brokenLinks,
  check,
  contractWatch,
  type Download,
  downloadOf,
  type Listed,
  linkAsk,
  listOf,
  signatureAsk,
} from './contract';

type Identifiers = Readonly<Partial<Record<IdentifierKind, string | undefined>>>;

/** Cards that violate the contract on purpose, or only delay the answer. */
const OFF_CONTRACT: readonly Failure[] = ['html', 'slow', 'unusable-link', 'foreign-link'];
/** Documented statuses that the sandbox never returns, because test cards do not apply to links or to endpoints without input. */
const NEVER_PLAYED = ['GET /api/balance', ...documentedLinks.map((path) => `GET ${path}`)].flatMap((endpoint) =>
  [403, 429, 500, 503].map((status) => `${endpoint} ${status}`),
);

const sandbox = sandboxForTests();
const { held, statusesOf, unseen } = contractWatch(() => sandbox.url, SANDBOX_TOKEN);

/** Returns every request that these identifiers allow. */
function questionsAbout(values: Identifiers): readonly Ask[] {
  return askers.flatMap(({ identifier, ask }) => {
    const value = values[identifier];
    return value === undefined ? [] : [ask(value)];
  });
}

function identifiersOf(person: SandboxPerson): Identifiers {
  return {
    curp: person.curp,
    nss: person.nss,
    licence: person.licences[0]?.number,
    folio: person.certificate?.folio,
    surname: person.paternalSurname,
  };
}

describe('the running sandbox answers as the document says', () => {
  // A fourth of the people have every form of a record, and `.ci/run --all` asks about everyone.
  const persons = process.env.PADRON_TESTS === 'all' ? people : people.filter((_, index) => index % 4 === 0);

  it('about every person, found or not', async () => {
    const questions = persons.flatMap((person) => questionsAbout(identifiersOf(person)));
    expect(questions.length).toBeGreaterThan(persons.length * 4);
    expect(await statusesOf([...questions, ...questionsAbout({ surname: 'NADIE' })])).toEqual([200, 404]);
  });

  it('about every employer and some of its months', async () => {
    for (const { registration, obligatedSubjectId: sujeto_obligado, rfc } of employers) {
      const questions: readonly Ask[] = [
        { method: 'POST', path: '/private/sujeto-obligado', json: { rp: registration } },
        { method: 'POST', path: '/private/32d-imss', json: { sujeto_obligado, rfc } },
        { method: 'GET', path: '/private/rps/snapshots', query: { registro_patronal: registration } },
        ...[1, 2, 6, 12].map((mes): Ask => listOf(registration, mes)),
      ];
      expect(await statusesOf(questions)).toEqual([200]);
    }
    await held({ method: 'GET', path: '/private/rps/snapshots' });
  });

  it('with the files of a receipt, linked and inline', async () => {
    for (const { registration } of employers.slice(0, 4)) {
      const receipt = await firstReceipt(registration);
      const { files } = (await held(downloadOf(receipt, false))).body as Download;
      const { files: inline } = (await held(downloadOf(receipt, true))).body as Download;
      expect([files.pdf.base64, files.xml.base64]).toEqual([null, null]);
      for (const kind of ['pdf', 'xml'] as const) {
        const file = await held(linkAsk(files[kind].url), '');
        expect((file.body as Buffer).toString('base64')).toBe(inline[kind].base64);
        expect(file.body).toHaveLength(files[kind].size_bytes);
      }
      expect(await statusesOf(brokenLinks(files.pdf.url), '')).toEqual([403, 410]);
      const changed = (from: string | RegExp, to: string) => [linkAsk(files.pdf.url?.replace(from, to) ?? null)];
      expect(await statusesOf(changed('/pdf?', '/doc?'), '')).toEqual([400]);
      expect(await statusesOf(changed('/pdf?', '/xml?'), '')).toEqual([403]);
      expect(await statusesOf(changed(/expires=\d/, 'expires=9'), '')).toEqual([403]);
    }
  });

  it('with the PDF of a professional status', async () => {
    const question = askers
      .find(({ endpoint }) => endpoint.includes('descargar-constancia'))
      ?.ask(people[0]?.curp ?? '');
    const { data } = (await held(question as Ask)).body as { readonly data: { readonly url_constancia: string } };
    expect((await held(linkAsk(data.url_constancia), '')).status).toBe(200);
    expect(await statusesOf(brokenLinks(data.url_constancia), '')).toEqual([403, 410]);
  });

  it('about every credential, and about invalid ones', async () => {
    for (const { rfc, password, certificate, privateKey } of sandboxCredentials) {
      await held(signatureAsk({ userId: rfc, password, certificate, privateKey }));
      await held(signatureAsk({ userId: rfc, password: `${password}?`, certificate, privateKey }));
      await held(signatureAsk({ userId: 'XAXX010101000', password, certificate, privateKey }));
      await held(signatureAsk({ userId: rfc, password, certificate: privateKey, privateKey: certificate }));
    }
  });

  it('to every test card within the contract, on every endpoint that takes it', async () => {
    let asks = 0;
    for (const { failure, identifier, value, endpoints, month } of cards) {
      if (OFF_CONTRACT.includes(failure)) continue;
      const taking = askers.filter(
        (asker) => asker.identifier === identifier && keepsTo(failure, asker.endpoint, endpoints),
      );
      for (const { ask } of taking) await held(ask(value, month));
      asks += taking.length;
    }
    expect(asks).toBeGreaterThan(cards.length);
  });

  it('with HTML to its test card, which violates the document', async () => {
    const html = cards.filter(({ failure, identifier }) => failure === 'html' && identifier === 'nss');
    const [asker] = askers.filter(({ identifier }) => identifier === 'nss');
    expect([html.length, asker?.endpoint]).toEqual([1, 'POST /api/infonavit/grupo/buscar-credito']);
    for (const { value } of html) {
      const call = await asked(sandbox.url, asker?.ask(value) as Ask, SANDBOX_TOKEN);
      expect(check(call).join()).toMatch(/no such content type: text\/html/);
    }
  });

  it.each([
    ['no token', '', [401]],
    ['an unknown token', 'nobody', [401]],
    ['an account without permissions', UNPERMITTED_TOKEN, [200, 403]],
    ['an account without units', NO_UNITS_TOKEN, [200, 402]],
    ['an account that calls too often', THROTTLED_TOKEN, [200, 429]],
  ])('to %s', async (_, token, statuses) => {
    const [person, employer] = [people[0], employers[0]];
    if (!person || !employer) throw new Error('The sandbox is empty.');
    const { registration, obligatedSubjectId: obligatedSubject } = employer;
    const questions = questionsAbout({ ...identifiersOf(person), rfc: person.rfc, registration, obligatedSubject });
    const received = await statusesOf([{ method: 'GET', path: '/api/balance' }, ...questions], token);
    // Accounts with permission get 400 for the invalid signature.
    expect(received.filter((status) => status !== 400)).toEqual(statuses);
  });

  it('to input that is missing, of the wrong kind or malformed', async () => {
    for (const { ask } of askers) {
      for (const value of ['', 'x', '<b>', '0', '-1', '1.5', '9'.repeat(30)]) await held(ask(value));
      const { query: _query, json: _json, form, ...bare } = ask('');
      if (bare.method === 'POST' && form === undefined) await held(bare);
      if (_json !== undefined) for (const json of [{}, [], null, 'text', 7]) await held({ ...bare, json });
    }
    await held(signatureAsk({ userId: 'X' }));
  });

  it('to a body that is too large or cannot be read', async () => {
    const { form, ...bare } = signatureAsk({ userId: 'X', password: 'x', certificate: Buffer.alloc(1_200_000) });
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    expect(await statusesOf([{ ...bare, form: form ?? {} }])).toEqual([413]);
    expect((await held({ ...bare, headers, body: '--x\r\nnothing' })).status).toBeGreaterThanOrEqual(400);
    const json = { rp: 'x'.repeat(1_200_000) };
    const large = askers.filter(({ ask }) => ask('').json !== undefined).map(({ ask }): Ask => ({ ...ask(''), json }));
    expect(await statusesOf(large)).toEqual([413]);
  });

  it('in sandbox mode too', async () => {
    const headers = { 'x-sandbox': 'true' };
    const questions = people.slice(0, 1).flatMap((person) => questionsAbout(identifiersOf(person)));
    expect(await statusesOf(questions.map((question) => ({ ...question, headers })))).toEqual([200]);
  });

  it('with every documented status', () => {
    expect(unseen().filter((entry) => !NEVER_PLAYED.includes(entry))).toEqual([]);
  });
});

/** Returns false for a card with an error of /private on /api. */
function keepsTo(failure: Failure, endpoint: string, endpoints: readonly string[] | undefined): boolean {
  if (failure === 'unprocessable-receipts' && endpoint.includes(' /api/')) return false;
  return endpoints?.includes(endpoint) ?? true;
}

async function firstReceipt(registration: string): Promise<Listed> {
  for (let month = 1; month <= 12; month += 1) {
    const { comprobantes } = (await held(listOf(registration, month))).body as {
      readonly comprobantes: readonly Listed[];
    };
    const [receipt] = comprobantes;
    if (receipt) return { ...receipt, mes: month };
  }
  throw new Error(`${registration} has no receipts in a year.`);
}
