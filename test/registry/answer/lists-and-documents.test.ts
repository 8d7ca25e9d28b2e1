import { employers } from '../../../src/extensions/sandbox/data/employers';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findLicence } from '../../../src/graph/domains/education/endpoints';
import { listReceipts } from '../../../src/graph/domains/receipts/endpoints';
import { findOrThrow } from '../../support/find-or-throw';
import { proxiedPadronForTests } from '../../support/padrons/padron-for-tests';
import { type AnswerFault, brokenEnvelopes, withMembers } from '../../support/proxies/broken-answers';
import { INTERNALS } from '../../support/proxies/broken-transport';
import type { Tamper } from '../../support/proxies/tampering-proxy';

const { licences } = findOrThrow(people, (person) => person.licences.length > 0);
const [employer] = employers;

const lookup = 'outcome evidence { message billing } problems { code path message }';
const ofEmployer = (field: string): string =>
  `{ employer(registration: "${employer?.registration}") { lookup: ${field} { ${lookup} } } }`;

/** Endpoints whose answers open in other ways than the single record of connection-failures.test.ts. */
const list = {
  path: findLicence.path,
  query: `{ lookup: professionalLicence(number: "${licences[0]?.number}") { ${lookup} } }`,
};
const document = { path: listReceipts.path, query: ofEmployer('receipts(period: "2026-03")') };
const padron = proxiedPadronForTests();

type Asked = typeof list;

// biome-ignore lint/suspicious/noExplicitAny: the border to JSON; every test asserts what it reads.
async function ask({ path, query }: Asked, tamper: Tamper): Promise<any> {
  padron.proxy.tamper((answer, arrived) => (arrived.path === path ? tamper(answer, arrived) : null));
  const { data, errors } = await padron.ask(query);
  expect(errors).toBeUndefined();
  expect(JSON.stringify(data)).not.toContain(INTERNALS);
  expect(padron.proxy.requests.filter((arrived) => arrived.path === path)).toHaveLength(1);
  return data.lookup ?? data.employer.lookup;
}

async function expectAnswerFault(asked: Asked, { outcome, code, billing, change }: AnswerFault): Promise<void> {
  expect(await ask(asked, change)).toMatchObject({ outcome, problems: [{ code }], evidence: { billing } });
}

describe('a list in the common envelope', () => {
  const unusable = (name: string, members: object): AnswerFault => ({
    name,
    outcome: 'UNAVAILABLE',
    code: 'UNUSABLE_ANSWER',
    billing: 'UNKNOWN',
    change: withMembers(members),
  });
  const ofLists = [
    ...brokenEnvelopes.filter(({ name }) => !/^an array|__proto__|with a record/.test(name)),
    unusable('an object for a list', { data: { idCedula: '1' } }),
    unusable('a row that is text', { data: ['1'] }),
    unusable('a row without a documented column', { data: [{ aviso: INTERNALS }] }),
  ];

  it.each(ofLists)('is not accepted as $name', (fault) => expectAnswerFault(list, fault));

  it('gives NOT_FOUND if it is empty', async () => {
    expect(await ask(list, withMembers({ data: [] }))).toMatchObject({ outcome: 'NOT_FOUND', problems: [] });
  });
});

describe('a document outside /api', () => {
  it.each<[string, object]>([
    ['ok false with 200', { ok: false }],
    ['ok as text', { ok: 'true' }],
    ['no ok', { ok: undefined }],
    ['another status in the body', { status: 502 }],
    ['no list', { comprobantes: undefined }],
    ['null for a list', { comprobantes: null }],
    ['an object for a list', { comprobantes: {} }],
    ['a row without its folio', { comprobantes: [{ registro_patronal: 'Y6099999101' }] }],
  ])('is not accepted with %s', async (_name, members) => {
    const answer = await ask(document, withMembers(members));
    expect(answer).toMatchObject({
      outcome: 'UNAVAILABLE',
      problems: [{ code: 'UNUSABLE_ANSWER' }],
      evidence: { billing: 'UNKNOWN' },
    });
  });

  it('accepts a warning that is nested too deeply to be serialized', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const answer = await ask(document, ({ json }) => {
      const body = JSON.stringify({ ...(json as object), meta: { count: 1, warnings: ['DEEP'] } });
      return { bytes: Buffer.from(body.replace('"DEEP"', deep)) };
    });
    expect(answer).toMatchObject({ outcome: 'FOUND', problems: [], evidence: { billing: 'CHARGED' } });
  });

  it('gives NOT_FOUND for a 404 with ok false, and for no other 404', async () => {
    const empty = await ask(document, () => ({ status: 404, json: { ok: false, error: { code: 'NOT_FOUND' } } }));
    expect(empty).toMatchObject({
      outcome: 'NOT_FOUND',
      problems: [{ code: 'EMPLOYER_UNKNOWN' }],
      evidence: { billing: 'CHARGED' },
    });
    padron.proxy.reset();
    expect(await ask(document, () => ({ status: 404, json: { ok: true } }))).toMatchObject({
      outcome: 'UNAVAILABLE',
      problems: [{ code: 'UNUSABLE_ANSWER' }],
    });
  });
});

describe('a rejection by the registry', () => {
  it.each<[string, object, readonly object[]]>([
    ['of no parameter', {}, [{ path: null, message: 'The registry service refused the input.' }]],
    ['of a parameter named like a method', { toString: ['No.'] }, [{ path: null, message: 'No.' }]],
    ['of `__proto__`', JSON.parse('{"__proto__":["No."]}'), [{ path: null, message: 'No.' }]],
    ['of `constructor`', { constructor: ['No.'] }, [{ path: null, message: 'No.' }]],
    ['without words', { cedula: [] }, [{ path: ['number'], message: 'The registry service refused the input.' }]],
    [
      'with something else than words',
      { cedula: [7, null, {}] },
      [{ path: ['number'], message: expect.stringMatching(/\w/) }],
    ],
    ['that is one text', { cedula: 'No.' }, [{ path: ['number'], message: 'No.' }]],
  ])('%s is reported without an internal error', async (_name, errors, problems) => {
    const answer = await ask(list, () => ({ status: 422, json: { errors } }));
    expect(answer).toMatchObject({ outcome: 'INVALID_INPUT', evidence: { billing: 'NOT_CHARGED' } });
    expect(answer.problems).toEqual(problems.map((problem) => ({ code: 'REJECTED_BY_REGISTRY', ...problem })));
  });
});
