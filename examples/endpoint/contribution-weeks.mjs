// The path and its columns are invented: the interface names more of social security, and does not show it.

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
      nss: { column: 'nss', type: 'NSS', description: 'Social security number.', spanish: 'NSS' },
      curp: { column: 'curp', type: 'CURP', description: 'Population registry code.', spanish: 'CURP' },
      recognizedWeeks: { column: 'semanas', type: 'Int', description: 'Weeks.', spanish: 'semanas reconocidas' },
      lastPaidOn: { column: 'ultimoPago', type: 'Date', description: 'Last payment.', spanish: 'último pago' },
    },
  },
  names: { nss: 'nss', curp: 'curp' },
  sandbox: ({ nss }) => ({ nss, semanas: '1043', ultimoPago: '2026-10-31' }),
};
