import { claudia, nameOf, namesNobody, uriel } from '../../../support/operations/mixed-people';
import { CREDIT, IDENTITY, SEARCH, STATUS } from '../../../support/operations/people-endpoints';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { withPadron } from '../../../support/padrons/with-padron';
import { withAltered } from '../../../support/proxies/altered-service';
import { priceOf } from '../../../support/requests/money';
import { card } from '../../../support/sandbox/cards';
import { documentOf } from './person-document';

interface Problem {
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[] | null;
}
interface Answered {
  readonly problems: readonly Problem[];
}
const codesOf = ({ problems }: Answered): readonly string[] => problems.map(({ code }) => code);
const conflictOf = ({ problems }: Answered): Problem | undefined =>
  problems.find(({ code }) => code === 'IDENTITY_CONFLICT');

const everything = documentOf('credit', 'identity', 'licences', 'professionalStatus');

describe('identifiers of different people', () => {
  const padron = padronForTests();
  const ask = async (document: string, variables: object) => (await padron.ask(document, { ...variables })).data.person;

  it('NSS and CURP: the credit of another person stays visible, and nothing is taken from it', async () => {
    const { credit, identity, licences, professionalStatus } = await ask(everything, {
      nss: uriel.nss,
      curp: claudia.curp,
    });
    expect(credit).toMatchObject({ outcome: 'FOUND', record: { curp: uriel.curp }, evidence: { billing: 'CHARGED' } });
    expect(codesOf(credit)).toEqual(['IDENTITY_CONFLICT']);
    // It is unknown which identifier is wrong, so the answers that agree with the CURP have the problem too.
    expect([identity, professionalStatus, licences].map(codesOf)).toEqual(Array(3).fill(['IDENTITY_CONFLICT']));
    // The name is the population registry's, by the CURP: the credit's is a stranger's.
    expect(licences.records).toMatchObject([{ names: claudia.names }, { names: claudia.names }]);
    expect(padron.callsInFull().find(({ endpoint }) => endpoint === SEARCH)?.input).toMatchObject({
      nombres: claudia.names,
    });
    expect([...padron.calls()].sort()).toEqual([CREDIT, IDENTITY, SEARCH, STATUS].sort());
  });

  it('are reported by field and registry, never by value', async () => {
    const { credit } = await ask(documentOf('credit'), {
      nss: uriel.nss,
      curp: claudia.curp,
      name: nameOf(claudia),
    });
    const conflict = conflictOf(credit);
    expect(conflict?.message).toMatch(/housing fund/);
    expect(conflict?.message).toMatch(/CURP \(against `curp`\); names, first surname \(against `name`\)/);
    expect(conflict).toMatchObject({ path: null, retryable: false });
    expect(namesNobody(JSON.stringify(conflict))).toBe(true);
    expect(padron.calls()).toEqual([CREDIT]);
  });

  it('NSS and name: no CURP is taken from the credit of another person', async () => {
    const { credit, identity, professionalStatus, licences } = await ask(everything, {
      nss: uriel.nss,
      name: nameOf(claudia),
    });
    expect(conflictOf(credit)).toMatchObject({ path: ['name'] });
    for (const lookup of [identity, professionalStatus]) {
      expect(lookup).toMatchObject({ outcome: 'NOT_RUN', record: null });
      expect(codesOf(lookup)).toEqual(['IDENTITY_CONFLICT', 'MISSING_IDENTIFIER']);
    }
    expect(licences.records.every(({ names }: { names: string }) => names === claudia.names)).toBe(true);
    expect([...padron.calls()].sort()).toEqual([CREDIT, SEARCH].sort());
  });

  it('CURP and name: the identity is of another person, and the licences of the name are set aside', async () => {
    const { identity, professionalStatus, licences } = await ask(everything, {
      curp: uriel.curp,
      name: nameOf(claudia),
    });
    expect(identity).toMatchObject({ outcome: 'FOUND', record: { curp: uriel.curp } });
    expect(conflictOf(identity)).toMatchObject({
      path: ['name'],
      message: expect.stringMatching(/population registry/),
    });
    expect(codesOf(professionalStatus)).toEqual(['IDENTITY_CONFLICT', 'NAME_NOT_OF_CURP']);
    // One of her licences has no CURP, and its sex differs from that of her CURP.
    expect(licences.records).toMatchObject([{ names: claudia.names }]);
    expect(conflictOf(licences)).toMatchObject({
      path: ['curp'],
      message: expect.stringMatching(/education ministry.*: sex \(/),
    });
    expect([...padron.calls()].sort()).toEqual([IDENTITY, SEARCH, STATUS].sort());
  });

  it('in the representation of an entity, as in the arguments', async () => {
    const query = `query ($all: [_Any!]!) { _entities(representations: $all) { ... on Person {
      credit { outcome problems { code path } } } } }`;
    const all = [
      { __typename: 'Person', nss: uriel.nss, curp: claudia.curp.toLowerCase() },
      { __typename: 'Person', nss: uriel.nss, curp: uriel.curp.toLowerCase() },
    ];
    const { data } = await padron.ask(query, { all });
    expect(data._entities).toEqual([
      { credit: { outcome: 'FOUND', problems: [{ code: 'IDENTITY_CONFLICT', path: ['curp'] }] } },
      { credit: { outcome: 'FOUND', problems: [] } },
    ]);
    expect(padron.calls()).toEqual([CREDIT]);
  });

  it.each([
    ['whatever the case', (text: string) => text.toLowerCase()],
    ['without accents and Ñ', (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '')],
    ['with blanks too many', (text: string) => ` ${text.replaceAll(' ', '  ')} `],
  ])('are not reported for one person written %s', async (_, write) => {
    const { names, paternalSurname, maternalSurname } = nameOf(claudia);
    const name = {
      names: write(names),
      paternalSurname: write(paternalSurname),
      maternalSurname: write(maternalSurname),
    };
    const person = await ask(everything, { nss: claudia.nss, curp: claudia.curp.toLowerCase(), name });
    const { nss: _nss, curp: _curp, ...lookups } = person;
    expect(Object.values<Answered>(lookups).map(codesOf)).toEqual([[], [], [], []]);
  });

  it.each([
    [
      'a second surname that was not given',
      { names: uriel.names, paternalSurname: uriel.paternalSurname },
      ['NAME_WRITTEN_DIFFERENTLY'],
    ],
    ['one of two names', { ...nameOf(uriel), names: 'URIEL ALBERTO' }, ['NAME_WRITTEN_DIFFERENTLY']],
    ['another name', { ...nameOf(uriel), names: 'ALBERTO' }, ['IDENTITY_CONFLICT']],
    ['a first surname and more', { ...nameOf(uriel), paternalSurname: 'GUTIÉRREZ DE LARA' }, ['IDENTITY_CONFLICT']],
    ['another second surname', { ...nameOf(uriel), maternalSurname: 'MORA' }, ['IDENTITY_CONFLICT']],
    ['a name that breaks its rule', { ...nameOf(uriel), names: ' ' }, []],
  ])('are found by comparing names: %s', async (_, name, codes) => {
    const { credit } = await ask(documentOf('credit'), { nss: uriel.nss, name });
    expect(codesOf(credit)).toEqual(codes);
  });

  it('are not found by a CURP that breaks its rule', async () => {
    const { credit } = await ask(documentOf('credit'), { nss: uriel.nss, curp: claudia.curp.slice(1) });
    expect(codesOf(credit)).toEqual([]);
  });

  it('are not reported for an answer to another question, which is a mismatch', async () => {
    const { identity } = await ask(documentOf('identity'), {
      curp: card('somebody-else', 'curp'),
      name: nameOf(claudia),
    });
    expect(codesOf(identity)).toEqual(['NAME_NOT_OF_CURP', 'ANSWER_MISMATCH']);
  });
});

describe('an answer that is replayed', () => {
  it('is compared with the identifiers of each request', () =>
    withPadron({ environment: { REPLAY_SECONDS: '30' } }, async ({ ask, calls }) => {
      const credits = [];
      for (const curp of [null, claudia.curp, uriel.curp]) {
        const { data } = await ask(documentOf('credit'), { nss: uriel.nss, curp });
        credits.push([data.person.credit.evidence.servedFrom, ...codesOf(data.person.credit)]);
      }
      expect(credits).toEqual([['LIVE'], ['REPLAY', 'IDENTITY_CONFLICT'], ['REPLAY']]);
      expect(calls()).toEqual([CREDIT]);
    }));
});

describe('the facts in a CURP', () => {
  const altered = (path: string, fields: object) => (data: unknown, asked: string) =>
    asked.endsWith(path) && typeof data === 'object' ? { ...data, ...fields } : data;

  it.each([
    ['a date of birth', 'valida-curp', { fechaNacimiento: '1990-01-01' }, 'identity', 'date of birth'],
    ['a sex', 'valida-curp', { sexo: 'MUJER' }, 'identity', 'sex'],
    ['the date within an RFC', 'buscar-credito', { rfc: claudia.rfc }, 'credit', 'RFC'],
  ] as const)('contradict %s', async (_, path, fields, field, words) => {
    const { data } = await withAltered(altered(path, fields), ({ ask }) =>
      ask(documentOf(field), { nss: uriel.nss, curp: uriel.curp }),
    );
    const lookup = data.person[field];
    expect(codesOf(lookup)).toEqual(['IDENTITY_CONFLICT']);
    expect(conflictOf(lookup)).toMatchObject({ path: ['curp'], message: expect.stringContaining(`: ${words}`) });
  });

  it.each([
    ['a sex of another word', 'valida-curp', { sexo: 'NO BINARIO' }, 'identity'],
    ['a date that cannot be read', 'valida-curp', { fechaNacimiento: '' }, 'identity'],
    ['a company’s RFC', 'buscar-credito', { rfc: 'EKU9003173C9' }, 'credit'],
    ['a CURP that is none', 'buscar-credito', { scurp: 'SIN CURP' }, 'credit'],
  ] as const)('are not contradicted by %s', async (_, path, fields, field) => {
    const { data } = await withAltered(altered(path, fields), ({ ask }) =>
      ask(documentOf(field), { nss: uriel.nss, curp: uriel.curp, name: nameOf(uriel) }),
    );
    expect(codesOf(data.person[field])).toEqual([]);
  });
});

describe('a name that cannot be that of the given CURP', () => {
  const padron = padronForTests();
  const variables = { nss: uriel.nss, curp: uriel.curp, name: nameOf(claudia) };

  it('is a remark in the price, before anything is paid', async () => {
    const priced = await priceOf(padron, { query: documentOf('credit'), variables });
    expect(priced).toMatchObject({
      estimatedUnits: 1,
      invalidRows: 0,
      problems: [{ code: 'NAME_NOT_OF_CURP', path: ['name'] }],
    });
    expect(padron.calls()).toEqual([]);
  });

  it('is a remark of each lookup, whatever its outcome', async () => {
    const { data } = await padron.ask(everything, variables);
    const { credit, identity, licences, professionalStatus } = data.person;
    for (const lookup of [credit, identity, licences, professionalStatus])
      expect(codesOf(lookup)).toContain('NAME_NOT_OF_CURP');
  });

  it('is none if the name fits, or if one of the two is missing or invalid', async () => {
    for (const changes of [{ name: nameOf(uriel) }, { curp: null }, { name: null }, { curp: 'X' }]) {
      const { problems } = await priceOf(padron, {
        query: documentOf('credit'),
        variables: { ...variables, ...changes },
      });
      expect(problems).toEqual([]);
    }
  });
});
