import { employers } from '../../../src/extensions/sandbox/data/employers';
import { people } from '../../../src/extensions/sandbox/data/people';
import { getCard } from '../../../src/extensions/sandbox/test-cards/cards';
import { findOrThrow } from '../../support/find-or-throw';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { setupOf } from './definitions';

const POSTAL = 'POST /api/sepomex/grupo/buscar-codigo';
const WEEKS = 'POST /api/imss/grupo/semanas-cotizadas';
const someone = findOrThrow(
  people,
  ({ nss, credit, maternalSurname }) => !!credit && !!maternalSurname && nss[0] === '0',
);
const stranger = findOrThrow(people, ({ nss }) => nss !== someone.nss);
const strangers = people.slice(20, 22);
const [employer] = employers;
const setup = setupOf();
const padron = padronForTests(setup);

const lookup = '{ outcome problems { code message path } evidence { units billing endpoint validationCode } }';
const ask = async (query: string, headers: Readonly<Record<string, string>> = {}) => {
  const { data, errors } = await padron.ask(query, {}, headers);
  expect(errors).toBeUndefined();
  return data;
};

describe('a field of an endpoint file', () => {
  it('returns its records with the types of its columns, and says which column cannot be read', async () => {
    const fields = 'name isUrban area openedOn places { title }';
    const { postalCode } = await ask(
      `{ postalCode(code: "06700") { outcome records { ${fields} } problems { code path } evidence { units endpoint } } }`,
    );
    expect(postalCode).toEqual({
      outcome: 'FOUND',
      records: [
        {
          ...{ name: 'Roma Norte', isUrban: true, area: '1.50', openedOn: '1990-01-31' },
          places: [{ title: 'Plaza Río de Janeiro' }],
        },
        { name: 'Roma Sur', isUrban: null, area: '2', openedOn: null, places: null },
      ],
      problems: [
        { code: 'FIELD_UNREADABLE', path: ['1', 'urbano'] },
        { code: 'FIELD_UNREADABLE', path: ['1', 'alta'] },
      ],
      evidence: { units: 2, endpoint: POSTAL },
    });
    expect(padron.calls()).toEqual([POSTAL]);
  });

  it('is paid for a registry that has no record, and its list is empty', async () => {
    const { postalCode } = await ask(
      '{ postalCode(code: "99999") { outcome records { name } evidence { units billing } } }',
    );
    expect(postalCode).toEqual({ outcome: 'NOT_FOUND', records: [], evidence: { units: 2, billing: 'CHARGED' } });
  });

  it('refuses a wrong argument in the words of the file, without a call', async () => {
    const query = `{ postalCode(code: "0670") ${lookup} rfcStatus(rfc: "XAXX010101000") ${lookup} }`;
    const { postalCode, rfcStatus } = await ask(query);
    expect(postalCode).toMatchObject({
      outcome: 'INVALID_INPUT',
      problems: [{ code: 'INVALID_FORMAT', message: 'A code has 5 digits.', path: ['code'] }],
    });
    expect(rfcStatus.problems).toMatchObject([{ message: expect.stringContaining('generic RFC'), path: ['rfc'] }]);
    const spanish = await ask(query, { 'accept-language': 'es-MX' });
    expect(spanish.postalCode.problems[0].message).toBe('Un código tiene 5 dígitos.');
    expect(padron.calls()).toEqual([]);
  });

  it('refuses a damaged text, and one that is too long for any check', async () => {
    const query = `query($code: String!) { postalCode(code: $code) ${lookup} }`;
    const { errors } = await padron.ask(query, { code: '0670\ufffd' });
    expect(errors?.[0].message).toMatch(/^Variable "\$code": The text was damaged/);
    const { data } = await padron.ask(query, { code: '0'.repeat(1_001) });
    expect(data.postalCode.problems[0].message).toMatch(/^The input has more than 1,000 characters\./);
    expect(padron.calls()).toEqual([]);
  });

  it('has its price before it runs, and costs nothing above the budget', async () => {
    const query = `{ person(nss: "${someone.nss}") { contributionWeeks { outcome } } postalCode(code: "06700") { outcome } }`;
    const { data, errors } = await padron.ask(query, {}, { 'x-max-units': '4' });
    expect(data).toBeNull();
    expect(errors?.[0].extensions).toMatchObject({ code: 'UNIT_BUDGET_EXCEEDED', estimate: { atMost: 5 } });
    const { unitEstimate } = await ask(
      `{ unitEstimate(input: { operation: ${JSON.stringify(query)} }) { atMost endpoints { route subtotal } } }`,
    );
    const endpoints = [
      { route: 'findContributionWeeks', subtotal: 3 },
      { route: 'findPostalCode', subtotal: 2 },
    ];
    expect(unitEstimate).toEqual({ atMost: 5, endpoints });
    expect(padron.calls()).toEqual([]);
  });

  it('has a price that no function of the file makes too low', async () => {
    const people = [someone, stranger, ...strangers].map(
      ({ nss }, index) => `p${index}: person(nss: "${nss}") { kin(since: "2020") { outcome } }`,
    );
    const operation = `{ ${people.join(' ')} }`;
    const { unitEstimate } = await ask(
      `{ unitEstimate(input: { operation: ${JSON.stringify(operation)} }) { atMost } }`,
    );
    expect(unitEstimate.atMost).toBe(people.length * 51);
    await ask(operation);
    expect(padron.callsInFull().reduce((sum, { units }) => sum + units, 0)).toBe(people.length * 51);
  });

  it('looks up no identifier for an argument that is wrong anyway', async () => {
    const { person } = await ask(`{ person(nss: "${someone.nss}") { kin(since: "x") ${lookup} } }`);
    expect(person.kin).toMatchObject({ outcome: 'INVALID_INPUT', problems: [{ message: 'A year has 4 digits.' }] });
    expect(padron.calls()).toEqual([]);
  });

  it.each(['a', 'b'])('pays nothing if a function of the file returns what cannot be used: %s', async (name) => {
    const { data, errors } = await padron.ask(`{ careless(${name}: "1") { outcome } }`);
    expect([data, errors?.[0].extensions.code]).toEqual([{ careless: null }, 'INTERNAL_SERVER_ERROR']);
    expect(padron.calls()).toEqual([]);
    expect(padron.log.join()).toMatch(/returned neither/);
  });

  it('is one call for the same question in one operation', async () => {
    const { first, second } = await ask(
      `{ first: postalCode(code: "06700") { evidence { units } } second: postalCode(code: " 06700 ") { evidence { units } } }`,
    );
    expect([first.evidence.units, second.evidence.units]).toEqual([2, 0]);
    expect(padron.calls()).toEqual([POSTAL]);
  });

  it('takes what it needs from its employer, and an argument that may be left out', async () => {
    const query = (args: string) =>
      `{ employer(registration: "${employer?.registration}") { branches${args} { records { registration city } } } }`;
    const records = (city: string) => ({
      employer: { branches: { records: [{ registration: employer?.registration, city }] } },
    });
    expect(await ask(query(''))).toEqual(records('Toluca'));
    expect(await ask(query('(year: 2026)'))).toEqual(records('2026'));
    expect(padron.calls()).toEqual(['GET /private/sucursales', 'GET /private/sucursales']);
  });

  it.each([
    ['server-error', { outcome: 'UNAVAILABLE', billing: 'UNKNOWN', problems: ['REGISTRY_ERROR'] }],
    ['forbidden', { outcome: 'NOT_PERMITTED', billing: 'NOT_CHARGED', problems: ['MISSING_PERMISSION'] }],
    ['html', { outcome: 'UNAVAILABLE', billing: 'UNKNOWN', problems: ['UNUSABLE_ANSWER'] }],
    ['somebody-else', { outcome: 'FOUND', billing: 'CHARGED', problems: ['ANSWER_MISMATCH'] }],
  ] as const)('ends as those of padron if the service fails: %s', async (failure, { outcome, billing, problems }) => {
    const { value } = getCard(failure, 'nss');
    const { person } = await ask(`{ person(nss: "${value}") { contributionWeeks ${lookup} } }`);
    const { contributionWeeks: found } = person;
    expect([found.outcome, found.evidence.billing, found.problems.map(({ code }: { code: string }) => code)]).toEqual([
      outcome,
      billing,
      problems,
    ]);
  });
});

describe('what an endpoint file says about a person', () => {
  const weeks = `contributionWeeks ${lookup}`;

  it('is compared with what the caller gave, and with the other registries', async () => {
    const { person } = await ask(`{ person(nss: "${someone.nss}", curp: "${someone.curp}") { ${weeks} credit { outcome }
      consistency { status fields { field agree } } } }`);
    expect(person.contributionWeeks.problems).toEqual([]);
    expect(person.consistency.status).toBe('CONSISTENT');
    const curp = person.consistency.fields.find(({ field }: { field: string }) => field === 'CURP');
    expect(curp.agree).toEqual(['HOUSING_FUND', 'SOCIAL_SECURITY']);
  });

  it('is not shown as the person of another CURP, and the message names the registry in both languages', async () => {
    const query = `{ person(nss: "${someone.nss}", curp: "${stranger.curp}") { ${weeks} } }`;
    const { person } = await ask(query);
    expect(person.contributionWeeks.problems).toMatchObject([
      { code: 'IDENTITY_CONFLICT', message: expect.stringContaining('The answer of the social security institute') },
    ]);
    const spanish = await ask(query, { 'accept-language': 'es' });
    expect(spanish.person.contributionWeeks.problems[0].message).toContain('Lo que responde el IMSS');
    expect(padron.calls()).toEqual([WEEKS, WEEKS]);
  });
});

describe('the registry of an endpoint file', () => {
  const broken = padronForTests(setup);

  it('has its own circuit breaker, and its own availability', async () => {
    const states = async () => {
      const { data } = await broken.ask('{ registryEndpoints { name availability { state } } }');
      const endpoints: readonly { readonly name: string; readonly availability: { readonly state: string } }[] =
        data.registryEndpoints;
      return ['findPostalCode', 'findCredit'].map(
        (route) => endpoints.find(({ name }) => name === route)?.availability.state,
      );
    };
    expect(await states()).toEqual(['UNKNOWN', 'UNKNOWN']);
    await broken.sandbox.close();
    const codes = Array.from({ length: 12 }, (_, index) => String(10_000 + index));
    for (const code of codes) await broken.ask(`{ postalCode(code: "${code}") { outcome } }`);
    expect(await states()).toEqual(['PAUSED', 'UNKNOWN']);
  });
});
