import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import type { AuditFilter } from '../../../ledger/audit/audit-record';
import type { LedgerReader } from '../../../ledger/reading/ledger-api';
import type { Context } from '../../core/context';
import { OwnScope, requireLedger, requireScope } from '../ledger/access';
import { pageOf, readInterval, readName, readPageRequest } from '../ledger/read-input';
import { RegistryAuditFilter, RegistryAuditPage, toAuditRecord } from './types';

@Resolver()
export class AuditResolver {
  @Query(() => RegistryAuditPage, {
    nullable: true,
    description:
      'The audit trail of this account, newest first: who changed budgets and batches, settled calls, searched proofs and erased people, and when. Free. A JWT needs the scope `padron_audit`.',
  })
  @OwnScope('padron_audit')
  async registryAudit(
    @Arg('filter', () => RegistryAuditFilter, { nullable: true, description: 'Filter. Omitted: all records.' })
    filter: RegistryAuditFilter | null,
    @Arg('first', () => Int, { defaultValue: 100, description: 'Page size, 1,000 at most.' }) first: number,
    @Arg('after', () => String, { nullable: true, description: '`next` of the previous page.' }) after: string | null,
    @Ctx() context: Context,
  ): Promise<RegistryAuditPage> {
    requireScope(context, 'padron_audit');
    const wanted = readAuditFilter(filter, requireLedger(context).reader);
    const page = readPageRequest(first, after);
    const { records, next } = await pageOf(requireLedger(context).trail.page(wanted, page));
    return { actions: records.map(toAuditRecord), next };
  }
}

function readAuditFilter(filter: RegistryAuditFilter | null, days: Pick<LedgerReader, 'startOfDay'>): AuditFilter {
  return {
    ...readInterval(filter, days),
    action: filter?.action ?? null,
    client: readName(filter?.client, 'client'),
    batch: readName(filter?.batch, 'batch'),
    id: readName(filter?.id, 'id'),
  };
}
