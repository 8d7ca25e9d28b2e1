import { people, type SandboxPerson } from '../../../../src/extensions/sandbox/data/people';
import { allPeople } from '../../../../src/extensions/sandbox/test-cards/directory';
import { findOrThrow } from '../../../support/find-or-throw';
import { lookup } from '../../../support/operations/lookup';
import { nameOf } from '../../../support/operations/mixed-people';
import { CREDIT, LICENCE, SEARCH } from '../../../support/operations/people-endpoints';
import { somebody } from '../../../support/operations/people-fields';
import type { RunningPadron } from '../../../support/padrons/padron';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { withAltered } from '../../../support/proxies/altered-service';
import { card } from '../../../support/sandbox/cards';
import { asText, orNull, wireData } from '../../../support/sandbox/wire';

const columns = `number kind title institution registrationYear names paternalSurname maternalSurname namesM paternalSurnameM
  maternalSurnameM sex curp sheet book entry areaCode consecutive levelCode subareaCode institutionCode institutionStateCode`;

const numberQuery = `query ($number: LicenceNumber!) { professionalLicence(number: $number) { ${lookup} records { ${columns} } } }`;

const searchQuery = `query ($name: PersonNameInput, $nss: NSS, $curp: CURP, $match: NameMatch! = EXACT) {
  person(name: $name, nss: $nss, curp: $curp) { licences(match: $match) { ${lookup} records { ${columns} } } } }`;

type WireLicence = Readonly<Record<string, unknown>>;

const shown = (wire: WireLicence) => ({
  ...{ number: wire.idCedula, kind: wire.tipo, title: wire.titulo, institution: wire.desins },
  ...{ registrationYear: wire.anioreg, names: wire.nombre, paternalSurname: wire.paterno },
  ...{ maternalSurname: orNull(wire.materno), namesM: orNull(wire.nombreM), paternalSurnameM: orNull(wire.paternoM) },
  ...{ maternalSurnameM: orNull(wire.maternoM), sex: wire.sexo, curp: wire.curp, sheet: wire.foja, book: wire.libro },
  ...{ entry: asText(wire.numero), areaCode: wire.carArea, consecutive: asText(wire.carCons) },
  ...{ levelCode: wire.carNivel, subareaCode: wire.carSarea, institutionCode: wire.inscons },
  institutionStateCode: wire.insedo,
});

const padron = padronForTests();

const numbersOf = (...holders: readonly SandboxPerson[]) =>
  holders.flatMap(({ licences }) => licences.map(({ number }) => number));

const search = async (variables: object) => (await padron.ask(searchQuery, { ...variables })).data.person.licences;

const numbers = ({ records }: { readonly records: readonly { readonly number: string }[] }) =>
  records.map(({ number }) => number);

describe('Query.professionalLicence', () => {
  it.each<[string, (licence: SandboxPerson['licences'][number]) => boolean]>([
    ['that shows its CURP', ({ showsCurp }) => showsCurp],
    ['that shows no CURP', ({ showsCurp }) => !showsCurp],
    ['with codes of its career', ({ entry }) => entry % 4 === 0],
    ['without a book', ({ entry }) => entry % 3 === 0],
    ['of an institution without code', ({ institutionCode }) => institutionCode === null],
  ])('shows every column of a licence %s', async (_, fits) => {
    const { number } = findOrThrow(
      people.flatMap(({ licences }) => licences),
      fits,
    );
    const wire = await wireData<readonly WireLicence[]>(padron.sandbox, LICENCE, { cedula: number });
    const { data } = await padron.ask(numberQuery, { number });
    expect(data.professionalLicence).toMatchObject({ outcome: 'FOUND', problems: [] });
    expect(data.professionalLicence.records).toEqual(wire.map(shown));
    expect(numbers(data.professionalLicence)).toEqual([number]);
  });

  it('finds an old number with or without leading zeros, which are not sent', async () => {
    const number = findOrThrow(numbersOf(...people).map(String), (text) => text.startsWith('0'));
    const without = number.replace(/^0+/, '');
    for (const written of [number, without, ` ${number} `]) {
      const { data } = await padron.ask(numberQuery, { number: written });
      expect(data.professionalLicence).toMatchObject({ outcome: 'FOUND', problems: [], records: [{ number }] });
    }
    expect(padron.callsInFull().map(({ input }) => input)).toEqual(Array(3).fill({ cedula: without }));
  });
});

describe('Person.licences', () => {
  it('shows every column of every record of the search', async () => {
    const { names, paternalSurname, maternalSurname } = somebody;
    const input = { nombres: names, paterno: paternalSurname, materno: maternalSurname };
    const wire = await wireData<readonly WireLicence[]>(padron.sandbox, SEARCH, input);
    const licences = await search({ name: nameOf(somebody), match: 'ALL' });
    expect(licences.records).toEqual(wire.map(shown));
    expect(padron.callsInFull()).toMatchObject([{ endpoint: SEARCH, input }]);
  });

  it('reports every rejected part of a name', async () => {
    const name = { names: ' ', paternalSurname: 'A'.repeat(101), maternalSurname: 'B\nC' };
    expect(await search({ name })).toMatchObject({
      outcome: 'INVALID_INPUT',
      records: null,
      problems: ['names', 'paternalSurname', 'maternalSurname'].map((part) => ({
        code: 'INVALID_FORMAT',
        path: ['name', part],
      })),
    });
    expect(padron.calls()).toEqual([]);
  });

  it('rejects a wrong CURP beside the name, because it could not identify the person', async () => {
    const licences = await search({ name: nameOf(somebody), curp: `${somebody.curp.slice(0, 17)}X` });
    expect(licences).toMatchObject({
      outcome: 'INVALID_INPUT',
      records: null,
      problems: [{ code: 'INVALID_FORMAT', path: ['curp'] }],
    });
    expect(padron.calls()).toEqual([]);
  });
});

const query = `query ($name: PersonNameInput, $nss: NSS, $curp: CURP, $match: NameMatch! = EXACT) {
  person(name: $name, nss: $nss, curp: $curp) { licences(match: $match) { ${lookup} setAside records { number curp } } } }`;

const [first, second] = findOrThrow(
  people.map((person, index) => [person, people[index + 1] ?? person] as const),
  ([person, next]) =>
    person !== next &&
    JSON.stringify(nameOf(person)) === JSON.stringify(nameOf(next)) &&
    person.licences[0]?.showsCurp === true &&
    next.licences.length === 1 &&
    /[ÁÉÍÓÚ]/.test(person.names) &&
    person.maternalSurname !== '',
);

const containedIn = (person: SandboxPerson, candidate: SandboxPerson): boolean =>
  candidate !== person &&
  candidate.paternalSurname === person.paternalSurname &&
  candidate.maternalSurname === person.maternalSurname &&
  candidate.names.includes(person.names) &&
  candidate.names !== person.names &&
  candidate.licences.length > 0;

const shorter = findOrThrow(
  people,
  (person) => person.licences.length > 0 && people.some((candidate) => containedIn(person, candidate)),
);

const longer = findOrThrow(people, (candidate) => containedIn(shorter, candidate));

describe('Person.licences, the selection of search results', () => {
  const search = async (variables: object, from: Pick<RunningPadron, 'ask'> = padron) =>
    (await from.ask(query, { ...variables })).data.person.licences;

  it('keeps the person among records whose names contain the name, and all records with ALL', async () => {
    const name = nameOf(shorter);
    expect(numbers(await search({ name })).sort()).toEqual(numbersOf(shorter).sort());
    expect(numbers(await search({ name, match: 'ALL' })).sort()).toEqual(numbersOf(shorter, longer).sort());
  });

  it('keeps both homonyms by name, and by CURP no record with the CURP of the other person', async () => {
    const name = nameOf(first);
    expect(second.licences[0]?.showsCurp).toBe(false);
    expect(numbers(await search({ name })).sort()).toEqual(numbersOf(first, second).sort());
    expect(numbers(await search({ name, curp: second.curp }))).toEqual(numbersOf(second));
    // The record of the other person has no CURP, so it cannot be distinguished.
    expect(numbers(await search({ name, curp: first.curp })).sort()).toEqual(numbersOf(first, second).sort());
  });

  it('distinguishes homonyms by the CURP that the housing fund returned', async () => {
    expect(numbers(await search({ nss: second.nss }))).toEqual(numbersOf(second));
    expect(padron.calls()).toEqual([CREDIT, SEARCH]);
  });

  it.each<[string, (text: string) => string]>([
    ['in lower case', (text) => text.toLowerCase()],
    ['without accents', (text) => text.normalize('NFD').replace(/\p{M}/gu, '')],
    ['with Ñ and accents taken apart', (text) => text.normalize('NFD')],
    ['with blanks around and between', (text) => `  ${text.replaceAll(' ', '   ')} `],
  ])('finds a name written %s', async (_, write) => {
    const person = findOrThrow(
      people,
      (candidate) =>
        /Ñ/.test(candidate.paternalSurname) &&
        / /.test(candidate.names) &&
        /É/.test(candidate.names) &&
        candidate.licences.length > 0,
    );
    const { names, paternalSurname, maternalSurname } = person;
    const name = {
      names: write(names),
      paternalSurname: write(paternalSurname),
      maternalSurname: write(maternalSurname),
    };
    expect(numbers(await search({ name }))).toEqual(expect.arrayContaining(numbersOf(person)));
  });

  it.each([[undefined], [null], [''], ['  '], ['-'], ['X'], ['N/A']])(
    'says that those with a second surname may be this person’s if the query has %j',
    async (maternalSurname) => {
      const single = findOrThrow(
        people,
        ({ licences, ...candidate }) =>
          candidate.maternalSurname === '' &&
          licences.length > 0 &&
          allPeople.some(
            (namesake) =>
              namesake.names === candidate.names &&
              namesake.paternalSurname === candidate.paternalSurname &&
              namesake.maternalSurname !== '' &&
              namesake.licences.length > 0,
          ),
      );
      const { names, paternalSurname } = single;
      const all = allPeople.filter(
        (candidate) => candidate.names === names && candidate.paternalSurname === paternalSurname,
      );
      const licences = await search({ name: { names, paternalSurname, maternalSurname } });
      expect(numbers(licences)).toEqual(numbersOf(single));
      const possible = numbersOf(...all).length - numbersOf(single).length;
      expect(licences).toMatchObject({
        outcome: 'FOUND',
        setAside: possible,
        problems: [{ code: 'POSSIBLE_RECORDS', message: expect.stringMatching(`^${possible} record`) }],
      });
      expect(padron.callsInFull()[0]?.input).toEqual({ nombres: names, paterno: paternalSurname });
    },
  );

  it.each([
    [null, 'UNAVAILABLE', 'POSSIBLE_RECORDS'],
    ['', 'UNAVAILABLE', 'POSSIBLE_RECORDS'],
    ['X', 'UNAVAILABLE', 'POSSIBLE_RECORDS'],
    ['OTRO', 'NOT_FOUND', 'NO_RECORD_MATCHES'],
  ])('has no record whose second surname is %j', async (materno, outcome, code) => {
    const name = nameOf(shorter);
    const alter = (data: unknown) => (data as readonly WireLicence[]).map((record) => ({ ...record, materno }));
    const licences = await withAltered(alter, (altered) => search({ name }, altered));
    expect(licences).toMatchObject({ outcome, problems: [{ code }] });
  });

  it('keeps a record with the CURP of the person, whatever its name', async () => {
    const alter = (data: unknown) => (data as readonly WireLicence[]).map((record) => ({ ...record, materno: null }));
    const licences = await withAltered(alter, (altered) => search({ name: nameOf(first), curp: first.curp }, altered));
    expect(licences.records).toMatchObject([{ number: first.licences[0]?.number, curp: first.curp }]);
  });

  it('recognizes the CURP in lower case and with surrounding blanks', async () => {
    const alter = (data: unknown) =>
      (data as readonly WireLicence[]).map((record) => ({ ...record, curp: ` ${String(record.curp).toLowerCase()} ` }));
    const licences = await withAltered(alter, (altered) => search({ name: nameOf(first), curp: first.curp }, altered));
    expect(licences.records).toContainEqual({ number: first.licences[0]?.number, curp: first.curp });
  });

  it('gives NOT_FOUND with the number of records if none is of this person: a paid answer with its proof', async () => {
    const alter = (data: unknown) => (data as readonly WireLicence[]).map((record) => ({ ...record, materno: 'MÁS' }));
    const [licences, all] = await withAltered(alter, async (altered) => [
      await search({ name: nameOf(longer) }, altered),
      await search({ name: nameOf(longer), match: 'ALL' }, altered),
    ]);
    expect(licences).toMatchObject({
      outcome: 'NOT_FOUND',
      records: [],
      setAside: 1,
      problems: [
        { code: 'NO_RECORD_MATCHES', message: expect.stringMatching(/ 1 record.*match: ALL/), retryable: false },
      ],
      evidence: { status: 200, units: 1, billing: 'CHARGED', validationCode: expect.stringMatching(/^\w{20}$/) },
    });
    expect(all).toMatchObject({ outcome: 'FOUND', setAside: 0, problems: [] });
  });

  it('distinguishes that from an empty registry, and counts the records beside those it kept', async () => {
    const nobody = await search({ name: { names: 'ANA', paternalSurname: 'SINHALLAZGO' } });
    expect(nobody).toMatchObject({ outcome: 'NOT_FOUND', records: [], setAside: 0, problems: [] });
    expect(await search({ name: nameOf(shorter) })).toMatchObject({
      outcome: 'FOUND',
      setAside: numbersOf(longer).length,
      // Nothing says that this person has no second given name.
      problems: [{ code: 'POSSIBLE_RECORDS' }],
    });
    expect(await search({ name: { names: '', paternalSurname: 'X' } })).toMatchObject({
      records: null,
      setAside: null,
    });
    expect(padron.calls()).toEqual([SEARCH, SEARCH]);
  });

  it.each([null, '', undefined])('does not assign licences without a name (%j)', async (nothing) => {
    const nameless = { nombre: nothing, paterno: nothing };
    const alter = (data: unknown) => (data as readonly WireLicence[]).map((record) => ({ ...record, ...nameless }));
    const [exact, all] = await withAltered(alter, async (altered) => [
      await search({ name: nameOf(shorter) }, altered),
      await search({ name: nameOf(shorter), match: 'ALL' }, altered),
    ]);
    expect(exact).toMatchObject({
      outcome: 'UNAVAILABLE',
      records: null,
      problems: [{ code: 'POSSIBLE_RECORDS', message: expect.stringContaining('name') }],
      evidence: { status: 200, units: 1, billing: 'CHARGED' },
    });
    expect(all).toMatchObject({ outcome: 'FOUND', problems: [] });
    expect(all.records).not.toEqual([]);
  });

  it('never gives NOT_FOUND if the registry answers about a different person', async () => {
    const name = { names: 'ANA', paternalSurname: card('somebody-else', 'surname') };
    expect(await search({ name })).toMatchObject({
      outcome: 'FOUND',
      records: [],
      problems: [{ code: 'ANSWER_MISMATCH' }],
    });
    const all = await search({ name, match: 'ALL' });
    expect(all).toMatchObject({ outcome: 'FOUND', problems: [{ code: 'ANSWER_MISMATCH' }] });
    expect(all.records).not.toEqual([]);
  });
});
