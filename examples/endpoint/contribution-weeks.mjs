// The path and its columns are invented: the interface names more of social security, and does not show it.

const column = (column, type, description, spanish) => ({ column, type, description, spanish });

/** @type {import('padron/extension').EndpointDefinition} */
export const contributionWeeks = {
  name: 'findContributionWeeks',
  field: 'Person.contributionWeeks',
  description: 'The weeks for which employers paid contributions. Needs the NSS.',
  spanish: 'semanas cotizadas',
  address: 'POST /api/imss/grupo/semanas-cotizadas',
  encoding: 'query',
  envelope: 'record',
  units: 3,
  permission: 'use_semanas_cotizadas',
  batch: true,
  registry: { name: 'socialSecurity', english: 'the social security institute', spanish: 'el IMSS' },
  // The service takes an NSS without leading zeros.
  input: { nss: { from: 'nss', write: (nss) => nss.replace(/^0+/, '') } },
  record: {
    type: 'ContributionWeeks',
    description: 'Weeks of contribution of a person.',
    fields: {
      nss: column('nss', 'NSS', 'Social security number.', 'NSS'),
      curp: column('curp', 'CURP', 'Population registry code.', 'CURP'),
      names: column('nombre', 'String', 'First name or names.', 'nombres'),
      paternalSurname: column('paterno', 'String', 'First surname.', 'apellido paterno'),
      maternalSurname: column('materno', 'String', 'Second surname.', 'apellido materno'),
      recognizedWeeks: column('semanas', 'Int', 'Weeks that the institute recognizes.', 'semanas reconocidas'),
      lastPaidOn: column('ultimoPago', 'Date', 'Day of the last payment.', 'último pago'),
    },
  },
  names: {
    nss: 'nss',
    curp: 'curp',
    names: 'names',
    paternalSurname: 'paternalSurname',
    maternalSurname: 'maternalSurname',
  },
  sandbox: ({ nss }) => ({ nss, semanas: '1043', ultimoPago: '2026-10-31' }),
};
