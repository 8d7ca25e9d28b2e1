import { people } from '../../../src/extensions/sandbox/data/people';
import type { IdentifierKind } from '../../../src/extensions/sandbox/protocol/route';
import {
  downloadProfessionalStatus,
  findCertificate,
  findLicence,
  searchLicences,
} from '../../../src/graph/domains/education/endpoints';
import { findCredit, findHousingAccount } from '../../../src/graph/domains/housing/endpoints';
import { findIdentity } from '../../../src/graph/domains/population/endpoints';
import type { AnyEndpoint } from '../../../src/registry/endpoint/endpoint';
import { addressOf } from '../address-of';
import { findOrThrow } from '../find-or-throw';
import { unusedCurp, unusedFolio, unusedLicence, unusedNss } from '../sandbox/identifiers';
import { lookup } from './lookup';

/** A field about people that asks one registry by one identifier. */
export interface PeopleField {
  readonly field: string;
  readonly endpoint: string;
  readonly units: number;
  readonly permission: string | null;
  /** Identifier by which the test cards of this field are selected. */
  readonly identifier: IdentifierKind;
  readonly path: readonly string[];
  /** A document with `$value` for the identifier and `answer` for the lookup. */
  readonly query: string;
  readonly existing: string;
  readonly unused: string;
  /** Refused before it is sent, and why. */
  readonly wrong: Readonly<Record<string, 'INVALID_FORMAT' | 'WRONG_CHECK_DIGIT'>>;
  readonly nothing: null | readonly [];
}

export const somebody = findOrThrow(
  people,
  ({ credit, account, licences, certificate, maternalSurname }) =>
    credit !== null && account !== null && licences.length > 0 && certificate !== null && maternalSurname !== '',
);

const ofPerson = (argument: string, field: string, payload = 'record'): string =>
  `query ($value: ${argument}) { person(${argument.toLowerCase()}: $value) { answer: ${field} { ${lookup} payload: ${payload} { __typename } } } }`;
const byNss = { identifier: 'nss', path: ['nss'], existing: somebody.nss, unused: unusedNss, nothing: null } as const;
const byCurp = {
  identifier: 'curp',
  path: ['curp'],
  existing: somebody.curp,
  unused: unusedCurp,
  nothing: null,
} as const;
const wrongNss = { '1234567890': 'INVALID_FORMAT', '12345678901': 'WRONG_CHECK_DIGIT', '': 'INVALID_FORMAT' } as const;
const lastDigit = (9 - Number(somebody.curp.slice(17))).toString();
const wrongCurp = {
  [somebody.curp.slice(0, 17)]: 'INVALID_FORMAT',
  [somebody.curp.slice(0, 17) + lastDigit]: 'WRONG_CHECK_DIGIT',
  [`${somebody.curp.slice(0, 4)}991332${somebody.curp.slice(10)}`]: 'INVALID_FORMAT',
  '': 'INVALID_FORMAT',
} as const;

const factsOf = (endpoint: AnyEndpoint): Pick<PeopleField, 'endpoint' | 'units' | 'permission'> => ({
  endpoint: addressOf(endpoint),
  units: endpoint.units,
  permission: endpoint.permission,
});

export const peopleFields: readonly PeopleField[] = [
  {
    ...byNss,
    field: 'Person.credit',
    ...factsOf(findCredit),
    query: ofPerson('NSS', 'credit'),
    wrong: wrongNss,
  },
  {
    ...byNss,
    field: 'Person.housingAccount',
    ...factsOf(findHousingAccount),
    query: ofPerson('NSS', 'housingAccount'),
    wrong: wrongNss,
  },
  {
    ...byCurp,
    field: 'Person.identity',
    ...factsOf(findIdentity),
    query: ofPerson('CURP', 'identity'),
    wrong: wrongCurp,
  },
  {
    ...byCurp,
    field: 'Person.professionalStatus',
    ...factsOf(downloadProfessionalStatus),
    query: ofPerson('CURP', 'professionalStatus'),
    wrong: wrongCurp,
  },
  {
    field: 'Person.licences',
    ...factsOf(searchLicences),
    identifier: 'surname',
    path: ['name', 'paternalSurname'],
    query: `query ($value: String!) { person(name: { names: "${somebody.names}", paternalSurname: $value, maternalSurname: "${somebody.maternalSurname}" }) { answer: licences { ${lookup} payload: records { __typename } } } }`,
    existing: somebody.paternalSurname,
    unused: 'SINHALLAZGO',
    wrong: { '': 'INVALID_FORMAT', '  ': 'INVALID_FORMAT', 'LÓPEZ\u0007': 'INVALID_FORMAT' },
    nothing: [],
  },
  {
    field: 'Query.professionalLicence',
    ...factsOf(findLicence),
    identifier: 'licence',
    path: ['number'],
    query: `query ($value: LicenceNumber!) { answer: professionalLicence(number: $value) { ${lookup} payload: records { __typename } } }`,
    existing: somebody.licences[0]?.number ?? '',
    unused: unusedLicence,
    wrong: {
      '': 'INVALID_FORMAT',
      '12A4567': 'INVALID_FORMAT',
      '-1234567': 'INVALID_FORMAT',
      '1234567890123': 'INVALID_FORMAT',
    },
    nothing: [],
  },
  {
    field: 'Query.studyCertificate',
    ...factsOf(findCertificate),
    identifier: 'folio',
    path: ['folio'],
    query: `query ($value: CertificateFolio!) { answer: studyCertificate(folio: $value) { ${lookup} payload: record { __typename } } }`,
    existing: somebody.certificate?.folio ?? '',
    unused: unusedFolio,
    wrong: { '': 'INVALID_FORMAT', 'not a folio': 'INVALID_FORMAT', ['f'.repeat(65)]: 'INVALID_FORMAT' },
    nothing: null,
  },
];
