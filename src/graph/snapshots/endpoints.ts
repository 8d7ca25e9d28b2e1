import { z } from 'zod';
import { endpoint, placeholder } from '../../registry/endpoint/endpoint';
import { amount, integer, requiredText, text } from '../../registry/endpoint/wire-schema';

const ConceptRecord = z.object({ label: requiredText, value: amount });

export type ConceptRecord = z.output<typeof ConceptRecord>;

const SnapshotRecord = z.object({
  id: requiredText,
  user_id: text,
  registro_patronal: text,
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
  name: 'listSnapshots',
  registry: 'socialSecurity',
  method: 'GET',
  path: '/private/rps/snapshots',
  encoding: 'query',
  envelope: 'list',
  units: 1,
  permission: null,
  scope: 'padron_list_snapshots',
  batch: false,
  schema: z.array(SnapshotRecord),
  // The interface names this parameter but not where it travels: a GET has its query.
  toWire: ({ registration }: { readonly registration: string }) => ({ registro_patronal: registration }),
  argumentPaths: { registro_patronal: ['registration'] },
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

/** The rows of one registration, newest first: the service may answer with every registration of the account. */
export function filterByRegistration(rows: readonly SnapshotRecord[], registration: string): readonly SnapshotRecord[] {
  const capturedAt = ({ captured_at }: SnapshotRecord): number => Date.parse(captured_at ?? '') || 0;
  return rows
    .filter(({ registro_patronal }) => registro_patronal === null || registro_patronal.trim() === registration)
    .sort((left, right) => capturedAt(right) - capturedAt(left));
}
