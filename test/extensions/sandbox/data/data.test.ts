import { employers } from '../../../../src/extensions/sandbox/data/employers';
import { availablePeriods } from '../../../../src/extensions/sandbox/data/months';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { findReceipts } from '../../../../src/extensions/sandbox/documents/receipts';
import { allEmployers, allPeople } from '../../../../src/extensions/sandbox/test-cards/directory';
import { checkCurp, checkEmployerRegistration, checkNss, checkRfc } from '../../../../src/identifiers/subjects';
import { findOrThrow } from '../../../support/find-or-throw';
import { createSandboxClient } from '../../../support/sandbox/sandbox-client';
import { sandboxForTests } from '../../../support/sandbox/sandbox-for-tests';
import { NOW } from '../../../support/sandbox/sandbox-questions';

describe('the identifiers', () => {
  it("all follow the rules of padron, which share no code with the sandbox's", () => {
    const violations = [
      ...allPeople.flatMap(({ curp, nss, rfc }) => [checkCurp(curp), checkNss(nss), checkRfc(rfc)]),
      ...allEmployers.flatMap(({ registration, rfc }) => [checkEmployerRegistration(registration), checkRfc(rfc)]),
    ];
    expect(violations.filter((violation) => violation !== null)).toEqual([]);
    expect(employers.filter(({ rfc, kind }) => rfc.length !== (kind === 'MORAL' ? 12 : 13))).toEqual([]);
  });

  it('are unique', () => {
    const kinds = [
      allPeople.map(({ curp }) => curp),
      allPeople.map(({ nss }) => nss),
      allPeople.map(({ rfc }) => rfc),
      allPeople.flatMap(({ licences }) => licences.map(({ number }) => number.replace(/^0+/, ''))),
      allPeople.flatMap(({ certificate }) => certificate?.folio ?? []),
      allEmployers.map(({ registration }) => registration),
      allEmployers.map(({ obligatedSubjectId }) => obligatedSubjectId),
    ];
    expect(kinds.filter((kind) => new Set(kind).size !== kind.length)).toEqual([]);
  });
});

describe('the people', () => {
  const fullName = (person: (typeof people)[number]) =>
    `${person.names} ${person.paternalSurname} ${person.maternalSurname}`;

  it('are at least 200, with at least 40 employers', () => {
    expect([people.length >= 200, employers.length >= 40]).toEqual([true, true]);
  });

  it.each<[string, (person: (typeof people)[number]) => unknown]>([
    ['a social security number with a leading zero', ({ nss }) => nss.startsWith('0')],
    ['a birth in this century', ({ birthDate, curp }) => birthDate >= '2000' && /[A-Z]/.test(curp.charAt(16))],
    ['an Ñ in the surname', ({ paternalSurname }) => paternalSurname.includes('Ñ')],
    ['an Ñ in the taxpayer code', ({ rfc }) => rfc.includes('Ñ')],
    ['an accent', ({ names }) => /[ÁÉÍÓÚ]/.test(names)],
    ['one surname', ({ maternalSurname }) => maternalSurname === ''],
    ['an X for the sex in the CURP', ({ curp }) => curp.charAt(10) === 'X'],
    ['a birth abroad', ({ curp }) => curp.slice(11, 13) === 'NE'],
    ['no credit, answered as null', ({ credit }) => credit === null],
    ['no credit, answered as an empty text', ({ credit }) => credit === ''],
    ['a closed credit', ({ credit }) => credit && credit.closedOn !== ''],
    ['no sub-account', ({ account }) => account === null],
    ['a blank before a balance', ({ account }) => account?.leadingBlank],
    ['no licence', ({ licences }) => licences.length === 0],
    ['two licences', ({ licences }) => licences.length === 2],
    ['a licence number with leading zeros', ({ licences }) => licences[0]?.number.startsWith('0')],
    ['no certificate', ({ certificate }) => certificate === null],
    ['a death', ({ alive }) => !alive],
  ])('some have %s', (_, fits) => {
    expect(people.filter(fits).length).toBeGreaterThan(0);
    expect(people.filter(fits).length).toBeLessThan(people.length);
  });

  it('include homonyms with different CURPs, both with a licence', () => {
    const graduates = people.filter(({ licences }) => licences.length > 0);
    const homonyms = graduates.filter((graduate) =>
      graduates.some((candidate) => candidate !== graduate && fullName(candidate) === fullName(graduate)),
    );
    expect(homonyms.length).toBeGreaterThan(4);
  });
});

interface Snapshot {
  readonly registro_patronal: string;
  readonly total_imss: number;
  readonly total_rcv: number;
  readonly totales_imss: readonly { readonly label: string; readonly value: number }[];
  readonly totales_rcv: readonly { readonly label: string; readonly value: number }[];
  readonly captured_at: string;
}

/** Pesos as centavos: a number of JSON with two decimals at most is exact after rounding. */
const centavos = (pesos: number): number => Math.round(pesos * 100);
const total = (values: readonly { readonly value: number }[]) =>
  values.reduce((sum, { value }) => sum + centavos(value), 0);

describe('the data of the registries', () => {
  const sandbox = sandboxForTests({ clock: () => NOW });
  const client = createSandboxClient(sandbox);

  async function fetchData(path: string, input: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
    const { status, body } = await client.query(path, input);
    expect([path, status]).toEqual([path, 200]);
    return (body as { data: Record<string, unknown> }).data;
  }

  it('agree on the identity of a person', async () => {
    const sample = people.filter(({ licences, certificate }) => licences.length > 0 && certificate).slice(0, 40);
    for (const { nss, curp, licences, certificate } of sample) {
      const credit = await fetchData('/api/infonavit/grupo/buscar-credito', { nss });
      const identity = await fetchData('/api/renapo/grupo/valida-curp', { curp: String(credit.scurp) });
      const number = licences[0]?.number ?? '';
      const [licence] = (await fetchData('/api/sep/grupo/validar-cedula', { cedula: number })) as unknown as [
        Record<string, unknown>,
      ];
      const study = await fetchData('/api/sep/grupo/validar-certificado', { folio: certificate?.folio ?? '' });
      const names = [credit.nombre, credit.apPaterno, credit.apMaterno];
      expect([identity.nombres, identity.apellidoPaterno, identity.apellidoMaterno]).toEqual(names);
      expect([licence.nombre, licence.paterno, licence.materno]).toEqual(names);
      expect([study.nombres, study.primerApellido, study.segundoApellido]).toEqual(names);
      expect([credit.nss, identity.curp, licence.idCedula]).toEqual([nss, curp, number]);
      expect([null, curp]).toContain(licence.curp);
      expect(String(credit.rfc).slice(4, 10)).toBe(curp.slice(4, 10));
      expect(String(identity.fechaNacimiento).replaceAll('-', '').slice(2)).toBe(curp.slice(4, 10));
    }
  });

  it('accept a social security number with and without its zeros, and each returns it in its own form', async () => {
    const { nss } = findOrThrow(people, (person) => person.nss.startsWith('0') && person.account);
    for (const text of [nss, String(Number(nss))]) {
      expect((await fetchData('/api/infonavit/grupo/buscar-credito', { nss: text })).nss).toBe(nss);
      expect((await fetchData('/api/infonavit/grupo/obtener-cuenta', { nss: text })).NSS).toBe(Number(nss));
    }
  });

  it('are found by parts of a name, regardless of case and accents', async () => {
    const longer = findOrThrow(
      people,
      ({ names, licences }) => / (ISABEL|ALBERTO)$/.test(names) && licences.length > 0,
    );
    const paterno = longer.paternalSurname
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
      .toLowerCase();
    const [nombres = ''] = longer.names.split(' ');
    const found = (await fetchData('/api/sep/grupo/obtener-cedula', { nombres, paterno })) as unknown as readonly {
      readonly nombre: string;
      readonly materno: string;
    }[];
    expect(new Set(found.map(({ nombre }) => nombre)).size).toBeGreaterThan(1);
    expect(found.map(({ nombre }) => nombre)).toContain(longer.names);
    const input = { nombres, paterno, materno: 'NADIE' };
    expect((await client.query('/api/sep/grupo/obtener-cedula', input)).status).toBe(404);
  });

  it('add up: each snapshot to its totals, each month’s receipts to its snapshot', async () => {
    const { status, body } = await client.get('/private/rps/snapshots');
    const snapshots = (body as { data: readonly Snapshot[] }).data;
    expect([status, snapshots.length]).toEqual([200, employers.length * availablePeriods(NOW).length]);
    for (const snapshot of snapshots) {
      expect(total(snapshot.totales_imss)).toBe(centavos(snapshot.total_imss));
      expect(total(snapshot.totales_rcv)).toBe(centavos(snapshot.total_rcv));
    }
    const parts = new Set<number>();
    for (const employer of employers) {
      const own = snapshots.filter(({ registro_patronal }) => registro_patronal === employer.registration);
      for (const [index, period] of availablePeriods(NOW).entries()) {
        const owed = centavos(own[index]?.total_imss ?? 0) + centavos(own[index]?.total_rcv ?? 0);
        const receipts = findReceipts(employer, period, NOW);
        parts.add(receipts.length);
        if (receipts.length > 0) expect(receipts.reduce((sum, { centavos }) => sum + centavos, 0)).toBe(owed);
        expect((own[index]?.total_rcv ?? 0) > 0).toBe(Number(period.slice(4)) % 2 === 0);
      }
    }
    expect(parts).toEqual(new Set([0, 1, 2]));
  });

  it('are the same for a month, whenever they are asked', () => {
    const [employer] = employers;
    const later = new Date('2027-08-01T00:00:00Z');
    const receiptsAt = (now: Date) => employer && findReceipts(employer, '202501', now);
    expect(receiptsAt(later)).toEqual(receiptsAt(NOW));
    expect(availablePeriods(NOW)[0]).toBe('202401');
    expect(availablePeriods(NOW).at(-1)).toBe('202610');
  });

  it('list receipts whose amounts equal the data, in three notations', async () => {
    const employer = findOrThrow(employers, (candidate) => findReceipts(candidate, '202604', NOW).length === 2);
    const { body } = await client.json('/private/comprobantes-fiscales', {
      registro_patronal: employer.registration,
      anio: 2026,
      mes: 4,
    });
    const { comprobantes } = body as { comprobantes: Record<string, string | number>[] };
    expect(comprobantes).toHaveLength(2);
    for (const { importe, importe_texto, importe_spell, fecha_pago } of comprobantes) {
      expect(String(importe_texto).replace(/[$,]/g, '')).toBe(Number(importe).toFixed(2));
      expect(String(importe_spell)).toMatch(new RegExp(` PESOS ${Number(importe).toFixed(2).slice(-2)}/100 M\\.N\\.$`));
      expect(fecha_pago).toMatch(/^\d{2}\/05\/2026$/);
    }
  });
});
