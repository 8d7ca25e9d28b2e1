import { isObjectType } from 'graphql';
import { claudia, nameOf, uriel } from '../../../support/operations/mixed-people';
import { buildGraph } from '../../../support/padrons/whole-padron';
import { withAltered } from '../../../support/proxies/altered-service';

/** The columns about Claudia, under every name that a registry has for them. */
const stranger: Readonly<Record<string, string>> = {
  curp: claudia.curp,
  scurp: claudia.curp,
  curpOriginal: claudia.curp,
  rfc: claudia.rfc,
  ...Object.fromEntries(['nombre', 'nombres'].map((column) => [column, claudia.names])),
  ...Object.fromEntries(
    ['paterno', 'apPaterno', 'apellidoPaterno', 'primerApellido'].map((column) => [column, claudia.paternalSurname]),
  ),
  ...Object.fromEntries(
    ['materno', 'apMaterno', 'apellidoMaterno', 'segundoApellido'].map((column) => [column, claudia.maternalSurname]),
  ),
};
const nss = { nss: claudia.nss, NSS: claudia.nss };

/** Replaces the columns of a record that name the person, and remembers whether it had any. */
function alterPerson(columns: Readonly<Record<string, string>>) {
  const seen = { isNamed: false };
  const alter = (data: unknown): unknown => {
    if (Array.isArray(data)) return data.map(alter);
    if (typeof data !== 'object' || data === null) return data;
    const named = Object.keys(data).filter((column) => column in columns);
    seen.isNamed ||= named.length > 0;
    return { ...data, ...Object.fromEntries(named.map((column) => [column, columns[column]])) };
  };
  return { seen, alter };
}

const person = buildGraph().schema.getType('Person');
const paidFields = isObjectType(person)
  ? Object.values(person.getFields())
      .filter(({ extensions }) => extensions.paidField !== undefined)
      .map(({ name }) => name)
  : [];

const variables = { nss: uriel.nss, curp: uriel.curp, name: nameOf(uriel) };
const problemsOf = async (field: string, alter: (data: unknown) => unknown): Promise<readonly string[]> => {
  const { data } = await withAltered(alter, ({ ask }) =>
    ask(
      `query ($nss: NSS, $curp: CURP, $name: PersonNameInput) {
        person(nss: $nss, curp: $curp, name: $name) { ${field} { outcome problems { code } } } }`,
      { ...variables },
    ),
  );
  return data.person[field].problems.map(({ code }: { readonly code: string }) => code);
};
const warnsOfStranger = (codes: readonly string[]): boolean =>
  codes.some((code) => ['IDENTITY_CONFLICT', 'ANSWER_MISMATCH', 'NO_RECORD_MATCHES'].includes(code));

describe('every paid field of a person', () => {
  it('is in this test', () => {
    expect(paidFields).toEqual(
      expect.arrayContaining(['credit', 'housingAccount', 'identity', 'licences', 'professionalStatus']),
    );
  });

  it.each(paidFields)('%s says so if its record names somebody else', async (field) => {
    const { seen, alter } = alterPerson({ ...stranger, ...nss });
    const codes = await problemsOf(field, alter);
    expect(seen.isNamed).toBe(true);
    expect([field, warnsOfStranger(codes), codes]).toEqual([field, true, codes]);
  });

  it.each(paidFields)('%s says so if only the NSS of its record is right', async (field) => {
    const { seen, alter } = alterPerson(stranger);
    const codes = await problemsOf(field, alter);
    expect([field, seen.isNamed ? warnsOfStranger(codes) : codes.length === 0, codes]).toEqual([field, true, codes]);
  });

  it.each(paidFields)('%s says nothing if its record names the person', async (field) => {
    expect(await problemsOf(field, (data) => data)).toEqual([]);
  });
});
