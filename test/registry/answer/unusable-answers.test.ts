import { employers } from '../../../src/extensions/sandbox/data/employers';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findLicence } from '../../../src/graph/domains/education/endpoints';
import { findCredit, findHousingAccount } from '../../../src/graph/domains/housing/endpoints';
import { listReceipts } from '../../../src/graph/domains/receipts/endpoints';
import { findOrThrow } from '../../support/find-or-throw';
import type { ProxiedPadron } from '../../support/padrons/padron-behind-proxy';
import { proxiedPadronForTests } from '../../support/padrons/padron-for-tests';
import {
  type AnswerFault,
  brokenEnvelopes,
  malformedBodies,
  unrelatedBodies,
  unusualAnswers,
  withMembers,
} from '../../support/proxies/broken-answers';
import { INTERNALS, quickFaults, slowFaults, type TransportFault } from '../../support/proxies/broken-transport';
import { startProxy, type Tamper } from '../../support/proxies/tampering-proxy';

const CREDIT = findCredit.path;
const lookup = 'outcome evidence { status message billing units } problems { code message path retryable retryAfter }';
const { nss, licences } = findOrThrow(
  people,
  (person) => person.credit && person.account && person.licences.length > 0 && !person.nss.startsWith('0'),
);
const query = `{ person(nss: "${nss}") { credit { ${lookup} record { nss } } housingAccount { outcome } } }`;

/** Internal text that no answer may contain. Clients only get the service's documented messages. */
const internals = new RegExp(
  `${INTERNALS}|UND_ERR|HPE_|ECONN|EPIPE|socket|undici|zod|node_modules|<html|SyntaxError|127\\.0\\.0\\.1|\\.ts:\\d`,
  'i',
);

/** Asks about a person whose credit has this answer, and expects one call to each endpoint and nothing internal. */
async function askWith(padron: ProxiedPadron, tamper: Tamper) {
  padron.proxy.tamper((answer, arrived) => (arrived.path === CREDIT ? tamper(answer, arrived) : null));
  const { data, errors } = await padron.ask(query);
  expect(errors).toBeUndefined();
  expect(JSON.stringify(data)).not.toMatch(internals);
  const log = padron.log.join('\n');
  expect([log.includes(nss), log.includes(INTERNALS)]).toEqual([false, false]);
  expect(padron.proxy.requests.map(({ path }) => path).sort()).toEqual([CREDIT, findHousingAccount.path]);
  expect(padron.calls()).toHaveLength(2);
  expect(data.person.housingAccount).toEqual({ outcome: 'FOUND' });
  return data.person.credit;
}

const expectFailure = (padron: ProxiedPadron) => async (fault: TransportFault) =>
  expect(await askWith(padron, () => fault.play)).toMatchObject({
    outcome: 'UNAVAILABLE',
    record: null,
    problems: [{ code: fault.code, retryable: true }],
    evidence: { message: null, billing: 'UNKNOWN', units: 0 },
  });

const padron = proxiedPadronForTests();

describe('a service whose connection fails', () => {
  it.each(quickFaults)('is reported as such and not called again if it $name', expectFailure(padron));
});

describe('a service that takes longer than the deadline', () => {
  const hurried = proxiedPadronForTests({ REGISTRY_TIMEOUT_MS: '2000' });

  it.each(slowFaults)('is reported as such and not called again if it $name', expectFailure(hurried));
});

describe('a service whose answer does not match its documentation', () => {
  const expectOutcome = async ({ outcome, code, billing, change }: AnswerFault) =>
    expect(await askWith(padron, change)).toMatchObject({
      outcome,
      record: outcome === 'FOUND' ? { nss } : null,
      problems: code === null ? [] : [{ code }],
      evidence: { billing, units: billing === 'CHARGED' ? 1 : 0 },
    });

  it.each([...unrelatedBodies, ...malformedBodies, ...brokenEnvelopes])('treats $name as a failure', expectOutcome);

  it.each(unusualAnswers)('treats $name as an answer: $outcome', expectOutcome);

  it('is not followed to the target of a redirect', async () => {
    const trap = await startProxy(() => padron.sandbox.url);
    const redirect = { status: 302, headers: { location: `${trap.url}${CREDIT}` }, json: {} };
    const credit = await askWith(padron, () => redirect).finally(() => trap.close());
    expect(credit).toMatchObject({ outcome: 'UNAVAILABLE', problems: [{ code: 'UNUSABLE_ANSWER' }] });
    expect(credit.evidence).toMatchObject({ status: 302, billing: 'UNKNOWN' });
    expect(trap.requests).toEqual([]);
  });
});

/** Endpoints whose answers open in other ways than the single record of a credit. */
const list = {
  path: findLicence.path,
  query: `{ lookup: professionalLicence(number: "${licences[0]?.number}") { ${lookup} } }`,
};
const document = {
  path: listReceipts.path,
  query: `{ employer(registration: "${employers[0]?.registration}") { lookup: receipts(period: "2026-03") { ${lookup} } } }`,
};

// biome-ignore lint/suspicious/noExplicitAny: the border to JSON; every test asserts what it reads.
async function ask({ path, query }: typeof list, tamper: Tamper): Promise<any> {
  padron.proxy.reset();
  padron.proxy.tamper((answer, arrived) => (arrived.path === path ? tamper(answer, arrived) : null));
  const { data, errors } = await padron.ask(query);
  expect(errors).toBeUndefined();
  expect(JSON.stringify(data)).not.toContain(INTERNALS);
  expect(padron.proxy.requests.filter((arrived) => arrived.path === path)).toHaveLength(1);
  return data.lookup ?? data.employer.lookup;
}

/** An answer counts the failures of a registry from zero, of which ten in a row would open its circuit breaker. */
const passes: Tamper = () => null;
afterEach(async () => {
  for (const question of [list, document]) await ask(question, passes);
});

const unusable = { outcome: 'UNAVAILABLE', problems: [{ code: 'UNUSABLE_ANSWER' }], evidence: { billing: 'UNKNOWN' } };

describe('a list in the common envelope', () => {
  it.each(brokenEnvelopes.filter(({ name }) => !/^an array|__proto__|with a record|documented column/.test(name)))(
    'is not accepted as $name',
    async ({ outcome, code, billing, change }) =>
      expect(await ask(list, change)).toMatchObject({ outcome, problems: [{ code }], evidence: { billing } }),
  );

  it.each<[string, unknown]>([
    ['an object without a documented column', { aviso: INTERNALS }],
    ['rows of which none is readable', [{ idCedula: [] }, 7]],
    ['a row that is text', ['1']],
    ['a row without a documented column', [{ aviso: INTERNALS }]],
  ])('is not accepted with %s', async (_name, data) => {
    expect(await ask(list, withMembers({ data }))).toMatchObject(unusable);
  });

  it('is accepted as the only record', async () => {
    const data = { idCedula: licences[0]?.number };
    expect(await ask(list, withMembers({ data }))).toMatchObject({ outcome: 'FOUND', problems: [] });
  });

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
    ['neither a list nor its count', { meta: undefined, comprobantes: undefined }],
    ['a list without a readable row, and no count', { meta: undefined, comprobantes: [{ folio_sua: {} }, 7] }],
  ])('is not accepted with %s', async (_name, members) => {
    expect(await ask(document, withMembers(members))).toMatchObject(unusable);
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
    expect(empty).toMatchObject({ outcome: 'NOT_FOUND', problems: [{ code: 'EMPLOYER_UNKNOWN' }] });
    expect(empty.evidence.billing).toBe('CHARGED');
    expect(await ask(document, () => ({ status: 404, json: { ok: true } }))).toMatchObject(unusable);
  });
});

describe('a rejection by the registry', () => {
  const general = { path: null, message: 'The registry service refused the input.' };

  it.each<[string, object, object]>([
    ['of no parameter', {}, general],
    ['of a parameter named like a method', { toString: ['No.'] }, { path: null, message: 'No.' }],
    ['of `__proto__`', JSON.parse('{"__proto__":["No."]}'), { path: null, message: 'No.' }],
    ['of `constructor`', { constructor: ['No.'] }, { path: null, message: 'No.' }],
    ['without words', { cedula: [] }, { ...general, path: ['number'] }],
    [
      'with values that are no words',
      { cedula: [7, null, {}] },
      { path: ['number'], message: expect.stringMatching(/\w/) },
    ],
    ['that is one text', { cedula: 'No.' }, { path: ['number'], message: 'No.' }],
  ])('%s is reported without an internal error', async (_name, errors, problem) => {
    const answer = await ask(list, () => ({ status: 422, json: { message: '', errors } }));
    expect(answer).toMatchObject({ outcome: 'INVALID_INPUT', evidence: { billing: 'NOT_CHARGED' } });
    expect(answer.problems).toMatchObject([{ code: 'REJECTED_BY_REGISTRY', ...problem }]);
  });
});
