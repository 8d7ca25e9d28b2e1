import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import type { AuditFilter } from '../../../money/ledger/audit/audit-record';
import type { LedgerReader } from '../../../money/ledger/reading/ledger-reader';
import type { Context } from '../../core/context';
import { OwnScope, requireKeys, requireLedger, requireScope } from '../ledger/access';
import { pageOf, readHashes, readInterval, readName, readPageRequest } from '../ledger/read-input';
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
    @Arg('actor', () => String, {
      nullable: true,
      description: 'Records of this person: the `sub` of JWTs that also name an application. Omitted: all records.',
    })
    actor: string | null,
    @Arg('first', () => Int, { defaultValue: 100, description: 'Page size, 1,000 at most.' }) first: number,
    @Arg('after', () => String, { nullable: true, description: '`next` of the previous page.' }) after: string | null,
    @Ctx() context: Context,
  ): Promise<RegistryAuditPage> {
    requireScope(context, 'padron_audit');
    const wanted = readAuditFilter(filter, actor, requireLedger(context).reader);
    const page = readPageRequest(first, after);
    if (actor !== null) await requireKeys(context);
    const { records, next } = await pageOf(requireLedger(context).trail.page(wanted, page));
    return { actions: records.map(toAuditRecord), next };
  }
}

function readAuditFilter(
  filter: RegistryAuditFilter | null,
  actor: string | null,
  reader: Pick<LedgerReader, 'startOfDay' | 'hashesOf'>,
): AuditFilter {
  return {
    ...readInterval(filter, reader),
    actor: readHashes(actor, 'actor', reader),
    action: filter?.action ?? null,
    client: readName(filter?.client, 'client'),
    batch: readName(filter?.batch, 'batch'),
    id: readName(filter?.id, 'id'),
  };
}
