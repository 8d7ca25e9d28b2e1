// The path and its columns are invented: the interface names postal codes, and does not show them.

/** @type {import('padron/extension').EndpointDefinition} */
export const postalCode = {
  name: 'findPostalCode',
  field: 'Query.postalCode',
  description: 'The settlements that share a postal code.',
  spanish: 'código postal',
  address: 'POST /api/sepomex/grupo/buscar-codigo',
  encoding: 'query',
  envelope: 'list',
  units: 1,
  permission: 'use_buscar_codigo_postal',
  batch: true,
  registry: { name: 'postal', english: 'the postal service', spanish: 'Correos de México' },
  input: {
    codigo: {
      argument: 'code',
      type: 'String',
      description: 'Five digits, leading zeros included.',
      check: (code) =>
        /^\d{5}$/.test(code)
          ? null
          : { english: 'A postal code has 5 digits.', spanish: 'Un código postal tiene 5 dígitos.' },
    },
  },
  record: {
    type: 'Settlement',
    description: 'A settlement: a quarter, a village or a housing estate.',
    fields: {
      name: { column: 'asentamiento', type: 'String', description: 'Its name.', spanish: 'asentamiento' },
      kind: { column: 'tipo', type: 'String', description: 'Its kind, such as Colonia.', spanish: 'tipo' },
      municipality: { column: 'municipio', type: 'String', description: 'Its municipality.', spanish: 'municipio' },
      state: { column: 'estado', type: 'String', description: 'Its federal state.', spanish: 'estado' },
    },
  },
  names: null,
  sandbox: ({ codigo }) =>
    codigo === '06700'
      ? [{ asentamiento: 'Roma Norte', tipo: 'Colonia', municipio: 'Cuauhtémoc', estado: 'Ciudad de México' }]
      : null,
};
