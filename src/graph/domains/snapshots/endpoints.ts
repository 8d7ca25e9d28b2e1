import { z } from 'zod';
import {
  amount,
  columns,
  endpoint,
  ifReadable,
  integer,
  isRegistration,
  placeholder,
  registration,
  requiredText,
  text,
} from '../../../registry/endpoint/endpoint';
import { byRegistration } from '../employer/endpoints';

const ConceptRecord = columns({ label: requiredText, value: amount });

export type ConceptRecord = z.output<typeof ConceptRecord>;

const SnapshotRecord = columns({
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
  totales_imss: ifReadable(z.array(ConceptRecord)),
  totales_rcv: ifReadable(z.array(ConceptRecord)),
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
  // If no row is of the registration, a row whose registration cannot be read may be. The field leaves out the rows of others.
  matches: (rows, { registration: asked }) => rows.some((row) => isOf(row, asked)) || rows.every(hasRegistration),
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

const hasRegistration = ({ registro_patronal }: SnapshotRecord): boolean =>
  /^[A-Z0-9]\d{10}$/.test(registro_patronal ?? '');

const isOf = ({ registro_patronal }: SnapshotRecord, asked: string): boolean =>
  registro_patronal === null || isRegistration(registro_patronal, asked);

/**
 * Returns the rows of one registration, newest first, because the service may return all registrations of the account. If there are none, it returns
 * the rows whose registration cannot be read.
 */
export function filterByRegistration(rows: readonly SnapshotRecord[], asked: string): readonly SnapshotRecord[] {
  const capturedAt = ({ captured_at }: SnapshotRecord): number => Date.parse(captured_at ?? '') || 0;
  const own = rows.filter((row) => isOf(row, asked));
  const shown = own.length > 0 ? own : rows.filter((row) => !hasRegistration(row));
  return shown.sort((left, right) => capturedAt(right) - capturedAt(left));
}
