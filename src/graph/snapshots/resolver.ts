import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import { registrationOf } from '../employer/identifiers';
import { Employer } from '../employer/types';
import { instant } from '../formats/dates';
import { decimal } from '../formats/decimals';
import { together } from '../lookup/input';
import { lookUp, recordsOf } from '../lookup/lookup';
import { Asks } from '../paid-field';
import { type ConceptRecord, listSnapshots, rowsOf, type SnapshotRecord } from './endpoints';
import { type ContributionConcept, type EmployerSnapshot, SnapshotsLookup } from './types';

@Resolver(() => Employer)
export class SnapshotsResolver {
  @FieldResolver(() => SnapshotsLookup, {
    nullable: true,
    description: 'Historical snapshots, newest first. GET /private/rps/snapshots.',
  })
  @Asks(listSnapshots)
  async snapshots(@Root() employer: Employer, @Ctx() context: Context): Promise<SnapshotsLookup> {
    const question = together({ registration: registrationOf(context, employer) });
    const lookup = await lookUp(context, listSnapshots, question, (payload, answer) => ({
      records: recordsOf(answer, payload && rowsOf(payload, employer.registration), toSnapshot),
    }));
    // The account may hold snapshots of other registrations only.
    const nothing = lookup.outcome === 'FOUND' && lookup.records?.length === 0;
    return nothing ? { ...lookup, outcome: 'NOT_FOUND' } : lookup;
  }
}

function toSnapshot(record: SnapshotRecord): EmployerSnapshot {
  return {
    id: record.id,
    userId: record.user_id,
    registration: record.registro_patronal,
    name: record.razon_social,
    rfc: record.rfc,
    activity: record.giro,
    riskClass: record.clase_riesgo,
    personKind: record.tipo_persona,
    riskPremium: decimal(record.prima_srt),
    workers: record.numero_trabajadores,
    totalImss: decimal(record.total_imss),
    totalRcv: decimal(record.total_rcv),
    imssBreakdown: record.totales_imss.map(toConcept),
    rcvBreakdown: record.totales_rcv.map(toConcept),
    capturedAt: instant(record.captured_at),
    createdAt: instant(record.created_at),
    updatedAt: instant(record.updated_at),
  };
}

function toConcept({ label, value }: ConceptRecord): ContributionConcept {
  return { label, value: decimal(value) };
}
