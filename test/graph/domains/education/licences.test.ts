import { people, type SandboxPerson } from '../../../../src/sandbox/data/people';
import { findOrThrow } from '../../../support/find-or-throw';
import { lookup } from '../../../support/operations/lookup';
import { LICENCE, SEARCH } from '../../../support/operations/people-endpoints';
import { somebody } from '../../../support/operations/people-fields';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { asText, orNull, wireData } from '../../../support/sandbox/wire';

const columns = `number kind title institution registrationYear names paternalSurname maternalSurname namesM paternalSurnameM
  maternalSurnameM sex curp sheet book entry areaCode consecutive levelCode subareaCode institutionCode institutionStateCode`;
const numberQuery = `query ($number: LicenceNumber!) { professionalLicence(number: $number) { ${lookup} records { ${columns} } } }`;
const searchQuery = `query ($name: PersonNameInput, $nss: NSS, $curp: CURP, $match: NameMatch! = EXACT) {
  person(name: $name, nss: $nss, curp: $curp) { licences(match: $match) { ${lookup} records { ${columns} } } } }`;

type WireLicence = Readonly<Record<string, unknown>>;

function shown(wire: WireLicence) {
  return {
    number: wire.idCedula,
    kind: wire.tipo,
    title: wire.titulo,
    institution: wire.desins,
    registrationYear: wire.anioreg,
    names: wire.nombre,
    paternalSurname: wire.paterno,
    maternalSurname: orNull(wire.materno),
    namesM: orNull(wire.nombreM),
    paternalSurnameM: orNull(wire.paternoM),
    maternalSurnameM: orNull(wire.maternoM),
    sex: wire.sexo,
    curp: wire.curp,
    sheet: wire.foja,
    book: wire.libro,
    entry: asText(wire.numero),
    areaCode: wire.carArea,
    consecutive: asText(wire.carCons),
    levelCode: wire.carNivel,
    subareaCode: wire.carSarea,
    institutionCode: wire.inscons,
    institutionStateCode: wire.insedo,
  };
}

const padron = padronForTests();

const nameOf = ({ names, paternalSurname, maternalSurname }: SandboxPerson) => ({
  names,
  paternalSurname,
  maternalSurname,
});
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
