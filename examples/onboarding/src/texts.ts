import type { LookupOutcome } from './generated/graphql';

const pesos = new Intl.NumberFormat('es-MX', { style: 'currency', currency: 'MXN' });
const day = new Intl.DateTimeFormat('es-MX', { dateStyle: 'long', timeZone: 'UTC' });
const time = new Intl.DateTimeFormat('es-MX', { dateStyle: 'medium', timeStyle: 'short' });

export const formatUnits = (units: number): string => (units === 1 ? '1 unidad' : `${units} unidades`);
export const formatPesos = (amount: string): string => pesos.format(Number(amount));
export const formatDay = (date: string): string => day.format(new Date(date));
export const formatTime = (dateTime: string): string => time.format(new Date(dateTime));

/** A status in one or two words, and its colour. */
export interface StatusText {
  readonly label: string;
  readonly tone: 'good' | 'plain' | 'bad' | 'waiting';
}

export function textOfOutcome(outcome: LookupOutcome): StatusText {
  switch (outcome) {
    case 'FOUND':
      return { label: 'Encontrado', tone: 'good' };
    case 'NOT_FOUND':
      return { label: 'Sin registro', tone: 'plain' };
    case 'INVALID_INPUT':
      return { label: 'Dato por corregir', tone: 'bad' };
    case 'NOT_PERMITTED':
      return { label: 'Sin permiso', tone: 'bad' };
    case 'NOT_RUN':
      return { label: 'No se consultó', tone: 'plain' };
    default:
      return { label: 'Sin respuesta', tone: 'bad' };
  }
}
