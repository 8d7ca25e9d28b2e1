export type Language = 'en' | 'es';

export interface Text {
  readonly english: string;
  readonly spanish: string;
}

export const joinTexts = (texts: readonly Text[], separator = ''): Text => ({
  english: texts.map(({ english }) => english).join(separator),
  spanish: texts.map(({ spanish }) => spanish).join(separator),
});

export function say({ english, spanish }: Text, language: Language): string {
  return language === 'es' ? spanish : english;
}

/** Spanish names of enum values, used by result files, the CSV of the ledger and the explorer. */
export const spanishEnums = {
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
  RegistrySaving: {
    REQUEST: 'Repetida en la misma petición',
    REPLAY: 'Respuesta reutilizada',
    KEPT: 'Respuesta guardada',
    JOB: 'Repetida por un lote o una operación que dura',
  },
} as const;
