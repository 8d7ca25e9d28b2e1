/** Spanish words for values of the graph that also occur in files, by enum. */
export const spanishAnswers = {
  LookupOutcome: {
    FOUND: 'Encontrado',
    NOT_FOUND: 'No encontrado',
    INVALID_INPUT: 'Dato no válido',
    NOT_PERMITTED: 'No permitido',
    UNAVAILABLE: 'No disponible',
    NOT_RUN: 'No consultado',
  },
  RegistryBilling: { CHARGED: 'Cobrado', NOT_CHARGED: 'No cobrado', UNKNOWN: 'Por aclarar' },
  ServedFrom: {
    LIVE: 'Consulta nueva',
    REPLAY: 'Respuesta reutilizada',
    KEPT: 'Respuesta guardada',
    SANDBOX: 'Modo de pruebas',
    NOT_SENT: 'No enviada',
  },
} as const;
