import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { AuditResolver } from '../audit/resolver';
import { BatchChangesResolver } from '../batch/changes';
import { BatchResolver, resolveBatchReference } from '../batch/resolver';
import { BudgetAmountsResolver } from '../budgets/amounts';
import { BudgetResolver, resolveBudgetReference } from '../budgets/resolver';
import { buildCatalogue, type CatalogueEntry } from '../catalogue';
import { CfdiResolver } from '../cfdi/resolver';
import { ComplianceResolver } from '../compliance/resolver';
import { EducationResolver } from '../education/resolver';
import { EmployerResolver, resolveEmployerReference } from '../employer/resolver';
import { FileResolver } from '../files/resolver';
import { HousingResolver } from '../housing/resolver';
import { EntryAmountsResolver, SpendAmountsResolver } from '../ledger/amounts';
import { LedgerResolver, resolveLedgerEntryReference } from '../ledger/resolver';
import { ProblemResolver } from '../lookup/resolver';
import { PersonResolver, resolvePersonReference } from '../person/resolver';
import { PopulationResolver } from '../population/resolver';
import { PricingResolver } from '../pricing/resolver';
import { EmployerReceiptsResolver, ReceiptFilesResolver } from '../receipts/resolver';
import { SnapshotsResolver } from '../snapshots/resolver';
import { SignatureResolver } from '../tax/resolver';
import { toSubgraph } from './subgraph';

/** The graph: its executable schema, its SDL, and the endpoints that its fields call. */
export interface Graph {
  readonly schema: GraphQLSchema;
  readonly sdl: string;
  readonly catalogue: readonly CatalogueEntry[];
}

export function buildGraph({ scopes = false }: { readonly scopes?: boolean } = {}): Graph {
  const inner = buildSchemaSync({
    resolvers: [
      PersonResolver,
      EmployerResolver,
      PopulationResolver,
      HousingResolver,
      EducationResolver,
      SignatureResolver,
      EmployerReceiptsResolver,
      ReceiptFilesResolver,
      FileResolver,
      CfdiResolver,
      SnapshotsResolver,
      ComplianceResolver,
      PricingResolver,
      LedgerResolver,
      SpendAmountsResolver,
      EntryAmountsResolver,
      BudgetResolver,
      BudgetAmountsResolver,
      AuditResolver,
      BatchResolver,
      BatchChangesResolver,
      ProblemResolver,
    ],
    // The resolvers validate input. The schema is checked when the subgraph is built.
    validate: false,
    skipCheck: true,
  });
  const references = {
    Person: resolvePersonReference,
    Employer: resolveEmployerReference,
    RegistryLedgerEntry: resolveLedgerEntryReference,
    RegistryBudget: resolveBudgetReference,
    RegistryBatch: resolveBatchReference,
  };
  const { schema, sdl } = toSubgraph(inner, { references, scopes });
  return { schema, sdl, catalogue: buildCatalogue(inner) };
}
