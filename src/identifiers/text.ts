export type Language = 'en' | 'es';

/** Half of a surrogate pair, and the character that decoders put in place of bytes that they cannot read. */
const damage = /[\p{Cs}\ufffd]/u;

/** Whether a text has lost characters before it reached padron. */
export const isDamaged = (text: string): boolean => damage.test(text);

/** Returns a name with `_` for each lost character. padron refuses damaged texts, but a file may have such a name. */
export const withoutDamage = (name: string): string => name.replace(new RegExp(damage, 'gu'), '_');

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
