import { z } from 'zod';
import {
  amount,
  endpoint,
  integer,
  isRegistration,
  placeholder,
  registration,
  requiredText,
  text,
} from '../../../registry/endpoint/endpoint';
import { byRegistration } from '../employer/endpoints';

const ConceptRecord = z.object({ label: requiredText, value: amount });

export type ConceptRecord = z.output<typeof ConceptRecord>;

const SnapshotRecord = z.object({
  id: requiredText,
  user_id: text,
  registro_patronal: registration,
  razon_social: text,
  rfc: text,
  giro: text,
  clase_riesgo: text,
  tipo_persona: text,
  prima_srt: amount,
  numero_trabajadores: integer,
  total_imss: amount,
  total_rcv: amount,
  totales_imss: z.array(ConceptRecord),
  totales_rcv: z.array(ConceptRecord),
  captured_at: text,
  created_at: text,
  updated_at: text,
});

export type SnapshotRecord = z.output<typeof SnapshotRecord>;

export const listSnapshots = endpoint({
  ...byRegistration,
  name: 'listSnapshots',
  method: 'GET',
  path: '/private/rps/snapshots',
  encoding: 'query',
  envelope: 'list',
  scope: 'padron_list_snapshots',
  schema: z.array(SnapshotRecord),
  // The interface does not say where this parameter is sent. A GET request has only a query.
  toWire: ({ registration }: { readonly registration: string }) => ({ registro_patronal: registration }),
  argumentPaths: { registro_patronal: ['registration'] },
  matches: 'COMPARED_BY_FIELD',
  explainUnusable: (rows, { registration: asked }) => {
    if (rows.some((row) => isOf(row, asked))) return null;
    const isReadable = ({ registro_patronal }: SnapshotRecord) => /^[A-Z0-9]\d{10}$/.test(registro_patronal ?? '');
    if (rows.every(isReadable)) return null;
    return {
      message: 'A snapshot has a registration that cannot be read.',
      spanish: 'una foto tiene un registro patronal que no se puede leer.',
    };
  },
  placeholderAnswer: ({ registration }) => [
    SnapshotRecord.parse({
      id: placeholder('id'),
      registro_patronal: registration,
      rfc: placeholder(`RFC of ${registration}`),
      totales_imss: [],
      totales_rcv: [],
    }),
  ],
});

const isOf = ({ registro_patronal }: SnapshotRecord, asked: string): boolean =>
  registro_patronal === null || isRegistration(registro_patronal, asked);

/** Returns the rows of one registration, newest first, because the service may return all registrations of the account. */
export function filterByRegistration(rows: readonly SnapshotRecord[], asked: string): readonly SnapshotRecord[] {
  const capturedAt = ({ captured_at }: SnapshotRecord): number => Date.parse(captured_at ?? '') || 0;
  return rows.filter((row) => isOf(row, asked)).sort((left, right) => capturedAt(right) - capturedAt(left));
}
