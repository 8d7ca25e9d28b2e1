import { claudia, nameOf, namesNobody, uriel } from '../../../support/operations/mixed-people';
import { CREDIT, IDENTITY, SEARCH } from '../../../support/operations/people-endpoints';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { type Alteration, withAltered } from '../../../support/proxies/altered-service';

const problems = 'problems { code message path isRemark given recorded }';
const selections = {
  credit: `credit { outcome ${problems} record { names paternalSurname curp received { names paternalSurname maternalSurname } } }`,
  identity: `identity { outcome ${problems} record { curp names } }`,
  licences: `licences { outcome ${problems} setAside searchedName { names paternalSurname maternalSurname } records { number curp } }`,
  professionalStatus: `professionalStatus { outcome ${problems} }`,
  consistency: 'consistency { status fields { field agree writtenDifferently differ } }',
} as const;
const documentOf = (...fields: readonly (keyof typeof selections)[]): string =>
  `query ($nss: NSS, $curp: CURP, $name: PersonNameInput) { person(nss: $nss, curp: $curp, name: $name) {
  ${fields.map((field) => selections[field]).join(' ')} } }`;

/** The answers of a registry with other fields. */
const altered =
  (path: string, fields: object): Alteration =>
  (data, asked) =>
    !asked.endsWith(path)
      ? data
      : Array.isArray(data)
        ? data.map((record) => ({ ...record, ...fields }))
        : { ...(data as object), ...fields };

const asking = (alter: Alteration, document: string, variables: object) =>
  withAltered(alter, async ({ ask, callsInFull }) => {
    const { data } = await ask(document, { ...variables });
    return { person: data.person, calls: callsInFull() };
  });
const codesOf = (lookup: { readonly problems: readonly { readonly code: string }[] }): readonly string[] =>
  lookup.problems.map(({ code }) => code);
const lost = { apPaterno: claudia.paternalSurname.replace('Ñ', '#') };

describe('a letter Ñ that the housing fund wrote as #', () => {
  it('is restored in what is shown and searched, and what was received is shown beside it', async () => {
    const { person, calls } = await asking(altered('buscar-credito', lost), documentOf('credit', 'licences'), {
      nss: claudia.nss,
    });
    expect(claudia.paternalSurname).toMatch(/Ñ/);
    expect(person.credit.record).toMatchObject({
      paternalSurname: claudia.paternalSurname,
      received: { names: claudia.names, paternalSurname: lost.apPaterno },
    });
    expect(person.licences).toMatchObject({
      outcome: 'FOUND',
      problems: [],
      searchedName: { paternalSurname: claudia.paternalSurname },
    });
    expect(person.licences.records).toHaveLength(claudia.licences.length);
    expect(calls.map(({ endpoint }) => endpoint)).toEqual([CREDIT, SEARCH]);
    expect(calls[1]?.input).toMatchObject({ paterno: claudia.paternalSurname });
  });

  it('contradicts neither the CURP nor the given name', async () => {
    const { person } = await asking(altered('buscar-credito', lost), documentOf('credit', 'consistency'), {
      nss: claudia.nss,
      curp: claudia.curp,
      name: nameOf(claudia),
    });
    expect(codesOf(person.credit)).toEqual([]);
    expect(person.consistency.status).toBe('CONSISTENT');
  });

  it('is not searched if another letter was lost, and no call is paid', async () => {
    const { person, calls } = await asking(altered('buscar-credito', { nombre: 'AND?S' }), documentOf('licences'), {
      nss: claudia.nss,
    });
    expect(person.licences).toMatchObject({ outcome: 'NOT_RUN', records: null, searchedName: null });
    expect(codesOf(person.licences)).toEqual(['MISSING_IDENTIFIER']);
    expect(calls.map(({ endpoint }) => endpoint)).toEqual([CREDIT]);
  });
});

describe('a name that a registry abbreviates', () => {
  const abbreviated = { nombre: `MA. ${claudia.names}` };
  const written = { ...nameOf(claudia), names: `MARÍA ${claudia.names}` };

  it('is a remark with both spellings as fields if the CURP is the same, and padron takes identifiers from the answer', async () => {
    const { person, calls } = await asking(
      altered('buscar-credito', abbreviated),
      documentOf('credit', 'identity', 'consistency'),
      { nss: claudia.nss, name: written },
    );
    const [remark] = person.credit.problems;
    expect(remark).toMatchObject({ code: 'NAME_WRITTEN_DIFFERENTLY', isRemark: true, path: ['name'] });
    expect([remark.given, remark.recorded]).toEqual([
      expect.stringMatching(`^MARÍA ${claudia.names} `),
      expect.stringMatching(`^MA. ${claudia.names} `),
    ]);
    expect(namesNobody(remark.message)).toBe(true);
    expect(person.identity.outcome).toBe('FOUND');
    expect(calls.map(({ endpoint }) => endpoint)).toEqual([CREDIT, IDENTITY]);
  });

  it('without a CURP leaves the consistency INSUFFICIENT, and never CONFLICTING', async () => {
    const fields = { ...abbreviated, scurp: null, rfc: null };
    const { person } = await asking(altered('buscar-credito', fields), documentOf('credit', 'consistency'), {
      nss: claudia.nss,
      name: written,
    });
    expect(codesOf(person.credit)).toEqual(['NAME_WRITTEN_DIFFERENTLY']);
    expect(person.consistency.status).toBe('INSUFFICIENT');
    const names = person.consistency.fields.find(({ field }: { readonly field: string }) => field === 'NAMES');
    expect(names).toMatchObject({ agree: [], writtenDifferently: ['HOUSING_FUND'], differ: [] });
  });

  it('is searched without the abbreviation, and the licence with the CURP of the person is theirs', async () => {
    const curpInLicences = altered('obtener-cedula', { curp: claudia.curp });
    const { person, calls } = await asking(
      (data, path) => curpInLicences(altered('buscar-credito', abbreviated)(data, path), path),
      documentOf('licences'),
      { nss: claudia.nss },
    );
    expect(calls[1]?.input).toMatchObject({ nombres: claudia.names });
    expect(person.licences).toMatchObject({
      outcome: 'FOUND',
      problems: [],
      setAside: 0,
      searchedName: { names: claudia.names },
    });
  });
});

describe('a record with the CURP of the person', () => {
  it('is shown and never set aside, whatever its name; if the name is another one, the problem says so', async () => {
    const record = { curp: uriel.curp, nombre: 'OTRO NOMBRE' };
    const { person } = await asking(altered('obtener-cedula', record), documentOf('licences'), {
      curp: uriel.curp,
      name: nameOf(uriel),
    });
    expect(person.licences).toMatchObject({ outcome: 'FOUND', setAside: 0 });
    expect(person.licences.records.length).toBeGreaterThan(0);
  });

  it('and another name has the problem of a conflict, which says that the CURP is the same', async () => {
    const { person } = await asking(altered('buscar-credito', { nombre: 'HERMANO' }), documentOf('credit'), {
      nss: uriel.nss,
      curp: uriel.curp,
      name: nameOf(uriel),
    });
    expect(codesOf(person.credit)).toEqual(['IDENTITY_CONFLICT']);
    expect(person.credit.problems[0].message).toContain('The CURP is the same and the names are not');
  });
});

describe('a CURP that was replaced', () => {
  // The registry answers with the current CURP, and names the one that was asked for.
  const replaced = altered('valida-curp', {
    curp: claudia.curp,
    nombres: claudia.names,
    apellidoPaterno: claudia.paternalSurname,
    apellidoMaterno: claudia.maternalSurname,
    sexo: 'MUJER',
    fechaNacimiento: '',
    historial: { curpOriginal: uriel.curp },
  });

  it('is found, with a remark that names the current one as a field', async () => {
    const { person, calls } = await asking(replaced, documentOf('identity', 'consistency'), { curp: uriel.curp });
    expect(person.identity).toMatchObject({ outcome: 'FOUND', record: { curp: claudia.curp } });
    expect(person.identity.problems).toEqual([
      expect.objectContaining({ code: 'CURP_REPLACED', isRemark: true, given: uriel.curp, recorded: claudia.curp }),
    ]);
    expect(person.consistency.status).not.toBe('CONFLICTING');
    expect(calls.map(({ endpoint }) => endpoint)).toEqual([IDENTITY]);
  });

  it('and the current one are this person’s in every comparison of the operation', async () => {
    const { person } = await asking(replaced, documentOf('credit', 'identity', 'consistency'), {
      nss: claudia.nss,
      curp: uriel.curp,
    });
    // The fund has the current one.
    expect(codesOf(person.credit)).toEqual([]);
    expect(codesOf(person.identity)).toEqual(['CURP_REPLACED']);
    expect(person.consistency.fields.flatMap(({ differ }: { readonly differ: readonly string[] }) => differ)).toEqual(
      [],
    );
  });
});

describe('identifiers of two people', () => {
  const padron = padronForTests();

  it('are a conflict of every lookup of the person, also of those that agree with one of them', async () => {
    const document = documentOf('credit', 'identity', 'licences', 'professionalStatus');
    const { data } = await padron.ask(document, { nss: uriel.nss, curp: claudia.curp });
    for (const [field, lookup] of Object.entries<Parameters<typeof codesOf>[0]>(data.person))
      expect([field, ...codesOf(lookup)]).toEqual([field, 'IDENTITY_CONFLICT']);
    expect(
      namesNobody(JSON.stringify(Object.values<{ problems: unknown }>(data.person).map((each) => each.problems))),
    ).toBe(true);
  });

  it('do not make a lookup alone conflicting', async () => {
    const { data } = await padron.ask(documentOf('licences'), { curp: claudia.curp });
    expect(codesOf(data.person.licences)).toEqual([]);
  });
});
