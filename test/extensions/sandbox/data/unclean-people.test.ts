import { people, type SandboxPerson } from '../../../../src/extensions/sandbox/data/people';
import { uncleanPeople } from '../../../../src/extensions/sandbox/data/unclean-people';
import { createGuide } from '../../../../src/extensions/sandbox/guide';
import { findLicencesByName } from '../../../../src/extensions/sandbox/test-cards/directory';
import { testPersonas } from '../../../../src/extensions/sandbox/test-cards/personas';
import { checkCurp } from '../../../../src/identifiers/subjects';
import { createSandboxClient } from '../../../support/sandbox/sandbox-client';
import { sandboxForTests } from '../../../support/sandbox/sandbox-for-tests';
import { NOW } from '../../../support/sandbox/sandbox-questions';

const { lostEnye, abbreviated, replacedCurp, noSecondSurname, withHomonym, homonym, otherSpelling, brother } =
  uncleanPeople;
const oldCurp = replacedCurp.person.replacedCurp ?? '';
const client = createSandboxClient(sandboxForTests({ clock: () => NOW }));

async function fetchData(path: string, input: Readonly<Record<string, string>>) {
  const { status, body } = await client.query(`/api/${path}`, input);
  return status === 200 ? (body as { readonly data: Readonly<Record<string, unknown>> }).data : null;
}
const askFund = ({ nss }: SandboxPerson) => fetchData('infonavit/grupo/buscar-credito', { nss });
const askPopulation = (curp: string) => fetchData('renapo/grupo/valida-curp', { curp });
async function searchLicences({ names, paternalSurname, maternalSurname }: SandboxPerson) {
  const input = { nombres: names, paterno: paternalSurname, ...(maternalSurname ? { materno: maternalSurname } : {}) };
  return (await fetchData('sep/grupo/obtener-cedula', input)) as unknown as readonly Readonly<
    Record<string, unknown>
  >[];
}
const nameIn = (record: Readonly<Record<string, unknown>> | null) =>
  record && [record.nombre, record.apPaterno, record.apMaterno];

describe('the people whom the registries do not write alike', () => {
  it.each([
    ['MU#OZ for MUÑOZ', lostEnye, ['BLANCA ESTELA', 'MU#OZ', 'ARRIAGA']],
    ['MA. for MARÍA', abbreviated, ['MA. GRISELDA', 'IZAGUIRRE', 'SALDÍVAR']],
    ['X for no second surname', noSecondSurname, ['NORMA', 'BETANCOURT', 'X']],
  ])('include one for whom only the housing fund writes %s', async (_, { person }, name) => {
    const { names, paternalSurname, maternalSurname, curp } = person;
    const credit = await askFund(person);
    expect([nameIn(credit), credit?.scurp]).toEqual([name, curp]);
    expect(await askPopulation(curp)).toMatchObject({
      nombres: names,
      apellidoPaterno: paternalSurname,
      apellidoMaterno: maternalSurname,
    });
    expect(await searchLicences(person)).toMatchObject([
      { nombre: names, paterno: paternalSurname, materno: maternalSurname, curp },
    ]);
  });

  it('include one whose CURP was replaced: the population registry answers either, and the others have the old one', async () => {
    const { curp } = replacedCurp.person;
    expect(checkCurp(oldCurp)).toBeNull();
    expect(oldCurp.slice(0, 8)).toBe(curp.slice(0, 8));
    for (const asked of [oldCurp, curp])
      expect(await askPopulation(asked)).toMatchObject({
        curp,
        fechaNacimiento: '1990-08-21',
        historial: { estatusCurp: 'RCC', curpOriginal: oldCurp, descripcionCurp: 'CURP VIGENTE' },
      });
    expect((await askFund(replacedCurp.person))?.scurp).toBe(oldCurp);
    expect(await searchLicences(replacedCurp.person)).toMatchObject([{ curp: oldCurp }]);
    for (const asked of [oldCurp, curp])
      expect(await fetchData('sep/grupo/descargar-constancia-profesional', { curp: asked })).toMatchObject({
        curp: asked,
      });
  });

  it('include two homonyms: a licence of one has no CURP', async () => {
    expect(await searchLicences(withHomonym.person)).toMatchObject([{ curp: withHomonym.person.curp }, { curp: null }]);
    expect(nameIn(await askFund(withHomonym.person))).toEqual(nameIn(await askFund(homonym.person)));
    expect(withHomonym.person.curp.slice(0, 4)).toBe(homonym.person.curp.slice(0, 4));
  });

  it('include one whose licence has the CURP and another spelling of the name, and a brother', async () => {
    const { curp } = otherSpelling.person;
    expect(nameIn(await askFund(otherSpelling.person))?.[0]).toBe('ARMANDO');
    expect(await searchLicences(otherSpelling.person)).toMatchObject([{ nombre: 'ARMANDO DE JESÚS', curp }]);
    expect(await searchLicences(brother.person)).toMatchObject([{ nombre: 'ARTURO', curp: brother.person.curp }]);
    const lettersOf = (text: string) => text.slice(0, 4) + text.slice(13, 16);
    expect(lettersOf(brother.person.curp)).toBe(lettersOf(curp));
  });

  it('are listed by the guide with what differs, in English and Spanish', () => {
    const { uncleanPeople: entries } = createGuide(NOW);
    expect(entries).toHaveLength(Object.keys(uncleanPeople).length);
    expect(entries[0]).toEqual({
      title: 'BLANCA ESTELA MUÑOZ ARRIAGA',
      code: null,
      about: {
        english: 'the housing fund writes MU#OZ for MUÑOZ',
        spanish: 'el Infonavit escribe MU#OZ en vez de MUÑOZ',
      },
      identifiers: expect.arrayContaining([{ name: 'nss', value: lostEnye.person.nss }]),
    });
    expect(entries[2]?.identifiers).toContainEqual({ name: 'replacedCurp', value: oldCurp });
  });

  it('are found by no search for anyone else', () => {
    const own = new Set<string>(Object.values(uncleanPeople).map(({ person }) => person.nss));
    const cleanPeople = [...people, ...testPersonas.map(({ person }) => person)];
    const strangers = cleanPeople.flatMap(({ names, paternalSurname }) =>
      [names, ...names.split(' ')].flatMap((name) =>
        findLicencesByName(name, paternalSurname, '').filter(({ person }) => own.has(person.nss)),
      ),
    );
    expect(strangers).toEqual([]);
  });
});
