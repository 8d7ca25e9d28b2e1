import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { parseInstant } from '../../../identifiers/dates';
import { parseDecimal } from '../../../identifiers/decimals';
import type { LookupContext } from '../../core/context';
import { combine, lookUp, mapRecords, withoutMatch } from '../../core/lookup/lookup';
import { PaidField } from '../../core/paid-field';
import { resolveRegistration } from '../employer/identifiers';
import { Employer } from '../employer/types';
import { type ConceptRecord, filterByRegistration, listSnapshots, type SnapshotRecord } from './endpoints';
import { type ContributionConcept, type EmployerSnapshot, SnapshotsLookup } from './types';

@Resolver(() => Employer)
export class SnapshotsResolver {
  @FieldResolver(() => SnapshotsLookup, { nullable: true, description: 'Historical snapshots, newest first.' })
  @PaidField(listSnapshots)
  async snapshots(@Root() employer: Employer, @Ctx() context: LookupContext): Promise<SnapshotsLookup> {
    const question = combine({ registration: resolveRegistration(context, employer) });
    const lookup = await lookUp(context, listSnapshots, question, (payload, answer) => {
      const rows = payload && filterByRegistration(payload, employer.registration);
      const records = mapRecords(answer, rows, toSnapshot);
      return { records, setAside: records && (payload?.length ?? 0) - records.length };
    });
    // The account may have only snapshots of other registrations.
    if (lookup.outcome !== 'FOUND' || lookup.records?.length !== 0) return lookup;
    return withoutMatch(context, lookup, {
      message: `The service returned ${lookup.setAside} snapshot(s), none of which belongs to this registration.`,
      spanish: `El servicio devolvió ${lookup.setAside} captura(s), ninguna de este registro patronal.`,
    });
  }
}

function toSnapshot(record: SnapshotRecord): EmployerSnapshot {
  return {
    id: record.id ?? null,
    userId: record.user_id,
    registration: record.registro_patronal ?? null,
    name: record.razon_social,
    rfc: record.rfc,
    activity: record.giro,
    riskClass: record.clase_riesgo,
    personKind: record.tipo_persona,
    riskPremium: parseDecimal(record.prima_srt),
    workers: record.numero_trabajadores,
    totalImss: parseDecimal(record.total_imss),
    totalRcv: parseDecimal(record.total_rcv),
    imssBreakdown: record.totales_imss?.map(toConcept) ?? null,
    rcvBreakdown: record.totales_rcv?.map(toConcept) ?? null,
    capturedAt: parseInstant(record.captured_at),
    createdAt: parseInstant(record.created_at),
    updatedAt: parseInstant(record.updated_at),
  };
}

function toConcept({ label, value }: ConceptRecord): ContributionConcept {
  return { label: label ?? null, value: parseDecimal(value) };
}
