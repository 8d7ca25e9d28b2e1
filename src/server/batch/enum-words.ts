import type { GraphQLEnumType } from 'graphql';
import type { Language } from '../../text/text';
import { capitalize, inEnglish } from './answer-headers';

/** Enums whose values are codes in every language, because the documentation explains them by code. */
const codes: ReadonlySet<string> = new Set(['ProblemCode']);

/** Spanish words for the values of enums that a row can contain. */
const spanishEnums: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  LookupOutcome: {
    FOUND: 'Encontrado',
    NOT_FOUND: 'No encontrado',
    INVALID_INPUT: 'Dato no válido',
    NOT_PERMITTED: 'No permitido',
    UNAVAILABLE: 'No disponible',
    NOT_RUN: 'No consultado',
  },
  RegistryBilling: { CHARGED: 'Cobrado', NOT_CHARGED: 'No cobrado', UNKNOWN: 'Sin aclarar' },
  ServedFrom: {
    LIVE: 'Consulta nueva',
    REPLAY: 'Respuesta reutilizada',
    SANDBOX: 'Modo de pruebas',
    NOT_SENT: 'No enviada',
  },
  OpinionSense: { POSITIVE: 'Positiva', NEGATIVE: 'Negativa', NO_OPINION: 'Sin opinión' },
  ConsistencyStatus: {
    CONSISTENT: 'Coincide',
    CONFLICTING: 'Se contradice',
    INSUFFICIENT: 'Datos insuficientes',
  },
  IdentityField: {
    NSS: 'NSS',
    CURP: 'CURP',
    RFC: 'RFC',
    NAMES: 'Nombres',
    PATERNAL_SURNAME: 'Apellido paterno',
    MATERNAL_SURNAME: 'Apellido materno',
    BIRTH_DATE: 'Fecha de nacimiento',
    SEX: 'Sexo',
  },
  IdentityRegistry: { HOUSING_FUND: 'Infonavit', POPULATION_REGISTRY: 'Renapo', EDUCATION_MINISTRY: 'SEP' },
};

/** Returns words for the values of an enum, such as `Not charged` for `NOT_CHARGED`. Returns null if its values are codes. */
export function enumWords(type: GraphQLEnumType, language: Language): Readonly<Record<string, string>> | null {
  if (codes.has(type.name)) return null;
  const spanish = language === 'es' ? spanishEnums[type.name] : undefined;
  const words = type.getValues().map(({ name }) => {
    const word = language === 'es' ? spanish?.[name] : capitalize(inEnglish(name.replaceAll('_', ' ')));
    return [name, word ?? name];
  });
  return Object.fromEntries(words);
}
