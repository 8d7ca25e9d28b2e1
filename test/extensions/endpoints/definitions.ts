import type { Column, EndpointDefinition } from '../../../schema/extension';
import { graphParts } from '../../../src/extensions';
import { readDefinitions } from '../../../src/extensions/endpoints/read-files';
import { people } from '../../../src/extensions/sandbox/data/people';
import { toRoute } from '../../../src/extensions/sandbox/start';
import { findPersonByCurp, findPersonByNss } from '../../../src/extensions/sandbox/test-cards/directory';
import { buildGraph } from '../../../src/graph/schema/build-schema';
import type { Setup } from '../../support/padrons/padron';

const column = (name: string, type: Column['type'], spanish = name): Column => ({
  column: name,
  type,
  description: `The column ${name}.`,
  spanish,
});

export const postalCode: EndpointDefinition = {
  name: 'findPostalCode',
  field: 'Query.postalCode',
  description: 'The settlements that share a postal code.',
  spanish: 'código postal',
  address: 'POST /api/sepomex/grupo/buscar-codigo',
  encoding: 'query',
  envelope: 'list',
  units: 2,
  permission: null,
  batch: true,
  registry: { name: 'postal', english: 'the postal service', spanish: 'el servicio postal' },
  input: {
    codigo: {
      argument: 'code',
      type: 'String',
      description: 'Five digits.',
      check: (code) =>
        /^\d{5}$/.test(code) ? null : { english: 'A code has 5 digits.', spanish: 'Un código tiene 5 dígitos.' },
    },
  },
  record: {
    type: 'Settlement',
    description: 'A settlement.',
    fields: {
      name: column('asentamiento', 'String', 'asentamiento'),
      isUrban: column('urbano', 'Boolean', 'es urbano'),
      area: column('superficie', 'Decimal', 'superficie'),
      openedOn: column('alta', 'Date', 'fecha de alta'),
      places: {
        column: 'lugares',
        description: 'Its places.',
        spanish: 'lugares',
        isList: true,
        record: {
          type: 'Place',
          description: 'A place.',
          fields: { title: column('titulo', 'String', 'título del lugar') },
        },
      },
    },
  },
  names: null,
  sandbox: ({ codigo }) =>
    codigo === '06700'
      ? [
          {
            ...{ asentamiento: 'Roma Norte', urbano: true, superficie: '1.50', alta: '31/01/1990' },
            lugares: [{ titulo: 'Plaza Río de Janeiro' }],
          },
          { asentamiento: 'Roma Sur', urbano: 'tal vez', superficie: 2, alta: 'ayer' },
        ]
      : null,
};

/** A person as the answers name them. */
const person = {
  nss: column('nss', 'NSS'),
  curp: column('curp', 'CURP'),
  names: column('nombre', 'String'),
  paternalSurname: column('paterno', 'String'),
  maternalSurname: column('materno', 'String'),
};
const names = Object.fromEntries(Object.keys(person).map((name) => [name, name]));
type SandboxPerson = ReturnType<typeof findPersonByNss>;
const recordOf = (found: SandboxPerson) =>
  found && {
    ...{ nss: found.nss, curp: found.curp, nombre: found.names, paterno: found.paternalSurname },
    materno: found.maternalSurname,
  };

export const weeks: EndpointDefinition = {
  ...postalCode,
  name: 'findContributionWeeks',
  field: 'Person.contributionWeeks',
  spanish: 'semanas cotizadas',
  address: 'POST /api/imss/grupo/semanas-cotizadas',
  envelope: 'record',
  units: 3,
  permission: 'use_semanas_cotizadas',
  registry: { name: 'socialSecurity', english: 'the social security institute', spanish: 'el IMSS' },
  input: { nss: { from: 'nss', write: (nss) => nss.replace(/^0+/, '') } },
  record: {
    type: 'ContributionWeeks',
    description: 'Weeks of contribution.',
    fields: { ...person, weeks: column('semanas', 'Int', 'semanas reconocidas') },
  },
  names,
  sandbox: ({ nss = '' }) => {
    const record = recordOf(findPersonByNss(nss));
    return record ? { ...record, semanas: '1043' } : null;
  },
};

export const insurance: EndpointDefinition = {
  ...weeks,
  name: 'findNss',
  field: 'Person.insurance',
  spanish: 'afiliación',
  address: 'POST /private/afiliacion',
  encoding: 'json',
  envelope: 'document',
  units: 5,
  permission: null,
  input: { curp: { from: 'curp' } },
  record: { type: 'Insurance', description: 'An insured person.', fields: person },
  finds: 'nss',
  sandbox: ({ curp = '' }) => {
    const record = recordOf(findPersonByCurp(curp));
    if (!record) return null;
    if (curp === people[10]?.curp) return { ...record, curp: null };
    return curp === people[11]?.curp ? { ...record, curp: ['?'] } : record;
  },
};

const { finds: _finds, ...found } = insurance;

/** Takes a CURP and an argument. Its service takes a part of the CURP only. */
export const kin: EndpointDefinition = {
  ...found,
  name: 'findKin',
  field: 'Person.kin',
  spanish: 'familiares',
  address: 'POST /api/renapo/grupo/familiares',
  encoding: 'query',
  envelope: 'record',
  units: 50,
  input: {
    curp: { from: 'curp', write: (curp) => curp.slice(0, 16) },
    desde: {
      argument: 'since',
      type: 'String',
      description: 'A year.',
      check: (year) =>
        /^\d{4}$/.test(year) ? null : { english: 'A year has 4 digits.', spanish: 'Un año tiene 4 dígitos.' },
    },
  },
  record: { type: 'Kin', description: 'Kin.', fields: { count: column('cuantos', 'Int', 'número') } },
  names: null,
  sandbox: async () => ({ cuantos: 2 }),
};

/** An endpoint whose functions return what cannot be used. */
export const careless: EndpointDefinition = {
  ...kin,
  name: 'findCareless',
  field: 'Query.careless',
  address: 'POST /api/descuidado',
  input: {
    a: { argument: 'a', type: 'String', description: 'A.', isOptional: true, write: () => ({}) as string },
    b: { argument: 'b', type: 'String', description: 'B.', isOptional: true, check: () => true as unknown as null },
  },
  record: { type: 'Careless', description: 'A record.', fields: { a: column('a', 'String') } },
};

export const branches: EndpointDefinition = {
  ...postalCode,
  name: 'listBranches',
  field: 'Employer.branches',
  spanish: 'sucursales',
  address: 'GET /private/sucursales',
  input: {
    rp: { from: 'registration' },
    anio: { argument: 'year', type: 'Int', description: 'Year.', isOptional: true },
  },
  record: {
    type: 'Branch',
    description: 'A branch.',
    fields: { registration: column('rp', 'EmployerRegistration'), city: column('ciudad', 'String', 'ciudad') },
  },
  names: { registration: 'registration' },
  sandbox: ({ rp, anio }) => [{ rp, ciudad: anio ?? 'Toluca' }],
};

export const rfcStatus: EndpointDefinition = {
  ...branches,
  name: 'findRfcStatus',
  field: 'Query.rfcStatus',
  spanish: 'estado del RFC',
  address: 'POST /api/sat/grupo/estado-rfc',
  envelope: 'record',
  input: { rfc: { argument: 'rfc', type: 'RFC', description: 'Taxpayer code.' } },
  record: {
    type: 'RfcStatus',
    description: 'The status of an RFC.',
    fields: { rfc: column('rfc', 'RFC'), status: column('estado', 'String', 'estado') },
  },
  names: { rfc: 'rfc' },
  sandbox: ({ rfc }) => ({ rfc, estado: 'ACTIVO' }),
};

/** A padron with endpoints of a file, and a service that has them. */
export function setupOf(nssFinder: string | null = null): Setup {
  const exports = { postalCode, weeks, insurance, kin, careless, branches, rfcStatus };
  const { graph: part, mistakes } = readDefinitions([{ file: 'test.mjs', exports }], nssFinder);
  if (part === null) throw new Error(mistakes.join('\n'));
  const graph = buildGraph([...graphParts, part]);
  const routes = graph.catalogue.flatMap(({ endpoint }) => toRoute(endpoint) ?? []);
  return { graph, sandbox: { routes } };
}
