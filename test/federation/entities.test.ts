import { employers } from '../../src/extensions/sandbox/data/employers';
import { people } from '../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../support/find-or-throw';
import { SNAPSHOTS } from '../support/operations/employer-graph';
import { lookup } from '../support/operations/lookup';
import { CREDIT, IDENTITY, SEARCH } from '../support/operations/people-endpoints';
import { padronForTests } from '../support/padrons/padron-for-tests';

type Key = Readonly<Record<string, unknown>>;

const twenty = people.slice(0, 20);
const person = findOrThrow(people, ({ credit }) => credit !== null && credit !== '');
const secondPerson = findOrThrow(people, ({ credit, nss }) => Boolean(credit) && nss !== person.nss);
const employer = findOrThrow(employers, () => true);
const personByNss = (nss: unknown): Key => ({ __typename: 'Person', nss });

const padron = padronForTests();

/** Asks for entities as a router does. The response must have no errors. */
async function entities(selection: string, representations: readonly Key[]) {
  const query = `query ($representations: [_Any!]!) { _entities(representations: $representations) { ${selection} } }`;
  const { status, data, errors } = await padron.ask(query, { representations });
  expect({ status, errors }).toEqual({ status: 200, errors: undefined });
  return data._entities;
}

const credit = `... on Person { nss credit { ${lookup} } }`;

describe('a hundred representations of twenty people', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => personByNss(twenty[index % 20]?.nss));

  it('make twenty calls, and their evidence adds up to the cost', async () => {
    const answers = await entities(credit, hundred);
    expect(padron.calls()).toEqual(Array.from({ length: 20 }, () => CREDIT));
    expect(answers.map(({ nss }: { nss: string }) => nss)).toEqual(hundred.map(({ nss }) => nss));
    const units = answers.map((answer: { credit: { evidence: { units: number } } }) => answer.credit.evidence.units);
    expect(units.reduce((sum: number, each: number) => sum + each, 0)).toBe(20);
  });

  it.each([
    ['a malformed NSS', { nss: '1234-5' }, 'INVALID_INPUT', 'INVALID_FORMAT', '12345'],
    ['an NSS with a wrong check digit', { nss: '12345678901' }, 'INVALID_INPUT', 'WRONG_CHECK_DIGIT', '12345678901'],
    ['an empty NSS', { nss: '' }, 'INVALID_INPUT', 'INVALID_FORMAT', ''],
    ['a number', { nss: Number(person.nss) }, 'INVALID_INPUT', 'INVALID_FORMAT', ''],
    ['a boolean', { nss: true }, 'INVALID_INPUT', 'INVALID_FORMAT', ''],
    ['a list', { nss: [person.nss] }, 'INVALID_INPUT', 'INVALID_FORMAT', ''],
    ['an object', { nss: { value: person.nss } }, 'INVALID_INPUT', 'INVALID_FORMAT', ''],
    ['null', { nss: null }, 'NOT_RUN', 'MISSING_IDENTIFIER', null],
    ['no key at all', {}, 'NOT_RUN', 'MISSING_IDENTIFIER', null],
  ])('get ninety-nine answers if one key is wrong: %s', async (_kind, key, outcome, code, nss) => {
    const answers = await entities(credit, [
      ...hundred.slice(0, 50),
      { __typename: 'Person', ...key },
      ...hundred.slice(51),
    ]);
    expect(answers.length).toBe(100);
    expect(answers[50]).toMatchObject({
      nss,
      credit: { outcome, problems: [{ code, path: ['nss'] }], evidence: { units: 0, servedFrom: 'NOT_SENT' } },
    });
    const goodAnswers = answers.filter((_: unknown, index: number) => index !== 50);
    expect(new Set(goodAnswers.map((answer: { credit: { outcome: string } }) => answer.credit.outcome))).toEqual(
      new Set(['FOUND']),
    );
    expect(padron.calls().length).toBe(20);
  });
});

describe('Person', () => {
  it('is found by CURP as well', async () => {
    const [answer] = await entities('... on Person { nss curp identity { outcome record { curp names } } }', [
      { __typename: 'Person', curp: person.curp.toLowerCase() },
    ]);
    expect(answer).toEqual({
      nss: null,
      curp: person.curp,
      identity: { outcome: 'FOUND', record: { curp: person.curp, names: person.names } },
    });
    expect(padron.calls()).toEqual([IDENTITY]);
  });

  it('has no CURP if its key is an NSS, although a registry is called with one', async () => {
    const [answer] = await entities('... on Person { curp identity { outcome } }', [personByNss(person.nss)]);
    expect(answer).toEqual({ curp: null, identity: { outcome: 'FOUND' } });
    expect(padron.calls()).toEqual([CREDIT, IDENTITY]);
  });

  const name = {
    names: person.names,
    paternalSurname: person.paternalSurname,
    maternalSurname: person.maternalSurname,
  };

  it('is found by all its identifiers at once, so that no registry is asked for one of them', async () => {
    const selection = '... on Person { identifiers identity { outcome } licences { outcome } consistency { status } }';
    const { nss, curp } = person;
    const [answer] = await entities(selection, [{ __typename: 'Person', identifiers: { nss, curp, name } }]);
    expect(answer).toMatchObject({ identifiers: { nss, curp, name }, identity: { outcome: 'FOUND' } });
    expect([...padron.calls()].sort()).toEqual([IDENTITY, SEARCH].sort());
  });

  it('is compared with the name of its key', async () => {
    const identifiers = { nss: person.nss, name: { ...name, names: 'FELIPA' } };
    const [answer] = await entities('... on Person { credit { outcome problems { code } } }', [
      { __typename: 'Person', identifiers },
    ]);
    expect(answer.credit.problems).toMatchObject([{ code: 'IDENTITY_CONFLICT' }]);
    expect(padron.calls()).toEqual([CREDIT]);
  });

  const rightName = { names: 'ANA', paternalSurname: 'LÓPEZ' };
  it.each([
    [null],
    [7],
    ['12345678901'],
    [[]],
    [{ nss: person.nss, name: 'ANA' }],
    [{ nss: person.nss, nombre: rightName }],
    [{ nss: person.nss, name: { names: 'ANA' } }],
    [{ nss: person.nss, name: { ...rightName, maternalSurname: 7 } }],
    [{ nss: person.nss, name: { ...rightName, apellido: 'LÓPEZ' } }],
  ])('costs nothing and fails alone if its identifiers are %j', async (identifiers) => {
    const selection = '... on Person { credit { outcome } licences { outcome } }';
    const representations = [{ __typename: 'Person', identifiers }, personByNss(secondPerson.nss)];
    const [wrong, right] = await entities(`${selection} ... on Person { nss }`, representations);
    const expected = identifiers === null ? 'NOT_RUN' : 'INVALID_INPUT';
    expect(wrong).toMatchObject({ credit: { outcome: expected }, licences: { outcome: expected } });
    expect(right.credit.outcome).toBe('FOUND');
    expect(padron.calls().filter((call) => call === CREDIT)).toHaveLength(1);
  });

  it('shows a long name cut, because an answer may repeat it often', async () => {
    const identifiers = { name: { ...rightName, names: 'A'.repeat(50_000) } };
    const [answer] = await entities('... on Person { identifiers licences { outcome } }', [
      { __typename: 'Person', identifiers },
    ]);
    expect(answer.identifiers.name.names).toHaveLength(200);
    expect(answer.licences.outcome).toBe('INVALID_INPUT');
  });

  it.each([[7], [{}], ['XXX']])('gives INVALID_INPUT for the CURP %j', async (curp) => {
    const [answer] = await entities('... on Person { identity { outcome problems { code path } } }', [
      { __typename: 'Person', curp },
    ]);
    expect(answer.identity).toEqual({
      outcome: 'INVALID_INPUT',
      problems: [{ code: 'INVALID_FORMAT', path: ['curp'] }],
    });
    expect(padron.calls()).toEqual([]);
  });
});

describe('Employer', () => {
  const snapshots = '... on Employer { registration snapshots { outcome problems { code path } } }';
  const byRegistration = (registration: unknown): Key => ({ __typename: 'Employer', registration });

  it('is found by its registration, with dashes', async () => {
    const { registration } = employer;
    const dashed = `${registration.slice(0, 3)}-${registration.slice(3, 8)}-${registration.slice(8, 10)}-${registration.slice(10)}`;
    const [answer] = await entities(snapshots, [byRegistration(dashed)]);
    expect(answer).toEqual({ registration, snapshots: { outcome: 'FOUND', problems: [] } });
    expect(padron.calls()).toEqual([SNAPSHOTS]);
  });

  it.each([
    ['is null', byRegistration(null)],
    ['is missing', { __typename: 'Employer' }],
  ])('is null if its registration %s, while another one is found', async (_case, key) => {
    const [missing, found] = await entities(snapshots, [key, byRegistration(employer.registration)]);
    expect(missing).toBeNull();
    expect(found.snapshots.outcome).toBe('FOUND');
  });

  it.each([
    ['Y60', 'Y60'],
    ['', ''],
    [60, ''],
    [false, ''],
    [{}, ''],
  ])('gives INVALID_INPUT for the registration %j', async (registration, echoed) => {
    const [answer] = await entities(snapshots, [byRegistration(registration)]);
    expect(answer).toEqual({
      registration: echoed,
      snapshots: { outcome: 'INVALID_INPUT', problems: [{ code: 'INVALID_FORMAT', path: ['registration'] }] },
    });
    expect(padron.calls()).toEqual([]);
  });
});

describe('the fields that a gateway selects automatically', () => {
  it('cost nothing, need no token and make no call', async () => {
    const query = `query ($representations: [_Any!]!) { _entities(representations: $representations) {
      __typename ... on Person { nss curp } ... on Employer { registration } } }`;
    const representations = [personByNss(person.nss), { __typename: 'Employer', registration: employer.registration }];
    const { data, errors } = await padron.ask(query, { representations }, { authorization: '' });
    expect(errors).toBeUndefined();
    expect(data._entities).toEqual([
      { __typename: 'Person', nss: person.nss, curp: null },
      { __typename: 'Employer', registration: employer.registration },
    ]);
    expect(padron.calls()).toEqual([]);
  });
});
