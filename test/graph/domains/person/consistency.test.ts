import fc from 'fast-check';
import type { SandboxPerson } from '../../../../src/extensions/sandbox/data/people';
import { claudia, nameOf, namesNobody, uriel } from '../../../support/operations/mixed-people';
import { ACCOUNT, CREDIT, IDENTITY, SEARCH, STATUS } from '../../../support/operations/people-endpoints';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { askPriced, priceOf } from '../../../support/requests/money';
import { card } from '../../../support/sandbox/cards';
import { unusedNss } from '../../../support/sandbox/identifiers';

const consistency = 'consistency { status fields { field provided agree differ silent } }';
const personOf = (selection: string, more = ''): string =>
  `query ($nss: NSS, $curp: CURP, $name: PersonNameInput) {
  person(nss: $nss, curp: $curp, name: $name) { ${selection} } } ${more}`;
const all =
  'credit { outcome } housingAccount { outcome } identity { outcome } licences { outcome } professionalStatus { outcome }';

interface FieldConsistency {
  readonly field: string;
  readonly provided: boolean;
  readonly agree: readonly string[];
  readonly differ: readonly string[];
  readonly silent: readonly string[];
}
interface Consistency {
  readonly status: string;
  readonly fields: readonly FieldConsistency[];
}
const fieldOf = ({ fields }: Consistency, name: string): Partial<FieldConsistency> | undefined =>
  fields.find(({ field }) => field === name);

const padron = padronForTests();

describe('Person.consistency', () => {
  const ask = async (document: string, variables: object): Promise<Consistency> => {
    const { data, errors } = await padron.ask(document, { ...variables });
    expect(errors).toBeUndefined();
    return data.person.consistency;
  };

  it('is the same for each of three hundred people in one operation', async () => {
    const query = `query ($representations: [_Any!]!) { _entities(representations: $representations) {
    ... on Person { nss consistency { status } ${all} } } }`;
    const single = await ask(personOf(`consistency { status } ${all}`), { nss: claudia.nss });
    const representations = Array.from({ length: 300 }, () => ({ __typename: 'Person', nss: claudia.nss }));
    const { data, errors } = await padron.ask(query, { representations });
    expect(errors).toBeUndefined();
    const answers: readonly { readonly consistency: Consistency }[] = data._entities;
    expect(answers).toHaveLength(300);
    expect(answers.filter((answer) => answer.consistency.status !== single.status)).toEqual([]);
  });

  it('reports one person for every registry that the operation asks, and makes no call', async () => {
    const answer = await ask(personOf(`${consistency} ${all}`), { nss: claudia.nss });
    expect(answer.status).toBe('CONSISTENT');
    expect(fieldOf(answer, 'NAMES')).toEqual({
      field: 'NAMES',
      provided: false,
      agree: ['HOUSING_FUND', 'POPULATION_REGISTRY', 'EDUCATION_MINISTRY'],
      differ: [],
      silent: [],
    });
    expect(fieldOf(answer, 'NSS')).toMatchObject({
      provided: true,
      agree: ['HOUSING_FUND'],
      silent: ['POPULATION_REGISTRY', 'EDUCATION_MINISTRY'],
    });
    expect(answer.fields.map(({ differ }) => differ)).toEqual(Array(8).fill([]));
    expect([...padron.calls()].sort()).toEqual([CREDIT, ACCOUNT, IDENTITY, SEARCH, STATUS].sort());
  });

  it('reports two people if the answers contradict the arguments', async () => {
    const answer = await ask(personOf(`${consistency} ${all}`), { nss: uriel.nss, curp: claudia.curp });
    expect(answer.status).toBe('CONFLICTING');
    expect(fieldOf(answer, 'CURP')).toMatchObject({
      provided: true,
      agree: ['POPULATION_REGISTRY', 'EDUCATION_MINISTRY'],
      differ: ['HOUSING_FUND'],
    });
    expect(fieldOf(answer, 'RFC')).toMatchObject({ provided: false, differ: ['HOUSING_FUND'] });
    expect(namesNobody(JSON.stringify(answer))).toBe(true);
  });

  it('prefers no registry if two contradict each other: both are reported as different', async () => {
    const answer = await ask(personOf(`credit { outcome } identity { outcome } ${consistency}`), {
      nss: uriel.nss,
      curp: claudia.curp,
    });
    expect(fieldOf(answer, 'NAMES')).toMatchObject({
      provided: false,
      agree: [],
      differ: ['HOUSING_FUND', 'POPULATION_REGISTRY'],
    });
  });

  it.each([
    ['before its siblings', `${consistency} credit { outcome } identity { outcome }`, ''],
    ['behind them', `credit { outcome } identity { outcome } ${consistency}`, ''],
    ['between them', `credit { outcome } ${consistency} identity { outcome }`, ''],
    [
      'in fragments',
      `...Check ... on Person { identity { outcome } } ...Rest`,
      'fragment Check on Person { CONSISTENCY } fragment Rest on Person { credit { outcome } }',
    ],
    ['under aliases', `${consistency} a: credit { outcome } b: identity { outcome } c: identity { outcome }`, ''],
    [
      'with fields that are skipped',
      `${consistency} credit { outcome } identity { outcome } licences @skip(if: true) { outcome }`,
      '',
    ],
  ])('gives the same result %s', async (_, selection, fragments) => {
    const document = personOf(selection, fragments.replace('CONSISTENCY', consistency));
    const answer = await ask(document, { nss: uriel.nss });
    expect(answer.status).toBe('CONSISTENT');
    expect(fieldOf(answer, 'CURP')).toMatchObject({ agree: ['HOUSING_FUND', 'POPULATION_REGISTRY'], silent: [] });
    expect([...padron.calls()].sort()).toEqual([CREDIT, IDENTITY].sort());
  });

  it('can be selected twice under aliases, each with its full result', async () => {
    const document = personOf(`first: ${consistency} credit { outcome } second: ${consistency}`);
    const { data } = await padron.ask(document, { nss: uriel.nss, curp: claudia.curp });
    expect(data.person.first).toMatchObject({ status: 'CONFLICTING' });
    expect(data.person.second).toEqual(data.person.first);
    expect(padron.calls()).toEqual([CREDIT]);
  });

  it('includes the calls made to find an identifier', async () => {
    const answer = await ask(personOf(`${consistency} identity { outcome }`), { nss: uriel.nss });
    expect(answer.status).toBe('CONSISTENT');
    expect(fieldOf(answer, 'RFC')).toMatchObject({ agree: ['HOUSING_FUND'] });
    expect(padron.calls()).toEqual([CREDIT, IDENTITY]);
  });

  it('is INSUFFICIENT and free if it is selected alone', async () => {
    const answer = await ask(personOf(consistency), { nss: uriel.nss, curp: claudia.curp, name: nameOf(uriel) });
    expect(answer.status).toBe('INSUFFICIENT');
    expect(answer.fields.map(({ agree, differ, silent }) => [...agree, ...differ, ...silent])).toEqual(
      Array(8).fill([]),
    );
    expect(padron.calls()).toEqual([]);
  });

  it.each([
    ['a registry that repeats its input', 'identity { outcome }', { curp: uriel.curp }],
    ['two that repeat it', 'identity { outcome } professionalStatus { outcome }', { curp: uriel.curp }],
    ['an account, which contains only the NSS', 'housingAccount { outcome }', { nss: uriel.nss }],
    ['the credit alone', 'credit { outcome }', { nss: uriel.nss }],
    ['a search by the name alone', 'licences { outcome }', { name: nameOf(uriel) }],
    ['nobody', all, { nss: unusedNss }],
    ['a registry that fails', all, { nss: card('server-error', 'nss') }],
    [
      'an NSS that nothing ties to the rest',
      'identity { outcome }',
      { nss: uriel.nss, curp: claudia.curp, name: nameOf(claudia) },
    ],
    [
      'an NSS that only its account knows',
      'housingAccount { outcome } identity { outcome }',
      { nss: uriel.nss, curp: claudia.curp, name: nameOf(claudia) },
    ],
    [
      'a CURP that breaks its rule',
      'credit { outcome }',
      { nss: uriel.nss, curp: claudia.curp.slice(1), name: nameOf(uriel) },
    ],
    ['identifiers that break their rules', all, { nss: '1', curp: 'x' }],
  ])('is INSUFFICIENT with %s', async (_, selection, variables) => {
    expect((await ask(personOf(`${consistency} ${selection}`), variables)).status).toBe('INSUFFICIENT');
  });

  it.each([
    ['the given CURP, confirmed by the fund', 'credit { outcome }', { nss: uriel.nss, curp: uriel.curp }],
    ['the given name, confirmed by the fund', 'credit { outcome }', { nss: uriel.nss, name: nameOf(uriel) }],
    [
      'all given identifiers, confirmed by the fund',
      'credit { outcome }',
      { nss: uriel.nss, curp: uriel.curp, name: nameOf(uriel) },
    ],
    ['the CURP of a licence found by name', 'licences { outcome }', { curp: uriel.curp, name: nameOf(uriel) }],
    ['the given name, confirmed by CURP', 'identity { outcome }', { curp: uriel.curp, name: nameOf(uriel) }],
  ])('is CONSISTENT with %s', async (_, selection, variables) => {
    expect((await ask(personOf(`${consistency} ${selection}`), variables)).status).toBe('CONSISTENT');
  });

  it.each([
    ['the name', 'identity { outcome }', { curp: uriel.curp, name: nameOf(claudia) }],
    ['an answer to another question', 'identity { outcome }', { curp: card('somebody-else', 'curp') }],
    [
      'a search that answers another question',
      'licences { outcome }',
      { name: { names: 'ANA', paternalSurname: card('somebody-else', 'surname') } },
    ],
  ])('is CONFLICTING with %s', async (_, selection, variables) => {
    expect((await ask(personOf(`${consistency} ${selection}`), variables)).status).toBe('CONFLICTING');
  });

  it('is not affected by homonyms that the query asked for', async () => {
    const answer = await ask(personOf(`${consistency} identity { outcome } licences(match: ALL) { outcome }`), {
      curp: uriel.curp,
    });
    expect(answer.fields.map(({ differ }) => differ)).toEqual(Array(8).fill([]));
  });

  it('is separate for each entity', async () => {
    const query = `query ($all: [_Any!]!) { _entities(representations: $all) { ... on Person {
    ${consistency} credit { outcome } } } }`;
    const representations = [
      { __typename: 'Person', nss: uriel.nss, curp: uriel.curp },
      { __typename: 'Person', nss: uriel.nss, curp: claudia.curp },
      { __typename: 'Person', nss: claudia.nss, curp: claudia.curp },
      { __typename: 'Person', nss: uriel.nss },
    ];
    const { data } = await padron.ask(query, { all: representations });
    const statuses = data._entities.map((entity: { readonly consistency: Consistency }) => entity.consistency.status);
    expect(statuses).toEqual(['CONSISTENT', 'CONFLICTING', 'CONSISTENT', 'INSUFFICIENT']);
    expect(padron.calls()).toEqual([CREDIT, CREDIT]);
  });

  it('adds nothing to the price', async () => {
    const variables = { nss: uriel.nss, curp: claudia.curp };
    const without = await priceOf(padron, { query: personOf(all), variables });
    const beside = await priceOf(padron, { query: personOf(`${consistency} ${all}`), variables });
    const alone = await priceOf(padron, { query: personOf(consistency), variables });
    expect([beside.estimatedUnits, alone.estimatedUnits]).toEqual([without.estimatedUnits, 0]);
    expect(padron.calls()).toEqual([]);
  });

  it('is returned even if lookups end in an error', async () => {
    const { data, errors } = await padron.ask(
      personOf(`${consistency} credit { outcome }`),
      { nss: uriel.nss },
      {
        authorization: '',
      },
    );
    expect(data.person).toMatchObject({ credit: null, consistency: { status: 'INSUFFICIENT' } });
    expect(errors?.map(({ path }) => path.join('.'))).toEqual(['person.credit']);
  });
});

const lookups = ['credit', 'housingAccount', 'identity', 'licences', 'professionalStatus'] as const;
const selected = 'outcome problems { code path message }';

const personBy: Readonly<Record<string, SandboxPerson>> = { uriel, claudia };
const owner = fc.constantFrom('uriel', 'claudia', 'nobody');
const question = fc.record({
  owners: fc.record({ nss: owner, curp: owner, name: owner }),
  fields: fc.shuffledSubarray([...lookups, 'consistency'], { minLength: 1 }),
});

describe('a person by identifiers of different people', () => {
  it('costs at most the estimate, and is never CONSISTENT if the identifiers are mixed', () =>
    fc.assert(
      fc.asyncProperty(question, async ({ owners, fields }) => {
        const [nss, curp, name] = [owners.nss, owners.curp, owners.name].map((key) => personBy[key] ?? null);
        const body = {
          query: `query ($nss: NSS, $curp: CURP, $name: PersonNameInput) { person(nss: $nss, curp: $curp, name: $name) {
          ${fields.map((field) => (field === 'consistency' ? consistency : `${field} { ${selected} }`)).join(' ')} } }`,
          variables: { nss: nss?.nss ?? null, curp: curp?.curp ?? null, name: name ? nameOf(name) : null },
        };
        const { estimatedUnits } = await priceOf(padron, body);
        const answer = await askPriced(padron, body);
        expect(answer.units?.spent ?? 0).toBeLessThanOrEqual(estimatedUnits);
        const people = new Set(Object.values(owners).filter((key) => key !== 'nobody'));
        const { consistency: judged, ...answered } = answer.data.person;
        if (people.size > 1) expect(judged?.status).not.toBe('CONSISTENT');
        if (people.size > 1) return;
        expect(judged?.status).not.toBe('CONFLICTING');
        expect(JSON.stringify(answered)).not.toContain('IDENTITY_CONFLICT');
      }),
      { numRuns: 60 },
    ));
});
