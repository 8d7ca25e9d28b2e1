import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { BatchChangesResolver } from '../../extensions/batch/graph/changes';
import { BatchResolver, resolveBatchReference } from '../../extensions/batch/graph/resolver';
import { buildCatalogue, type CatalogueEntry } from '../core/catalogue';
import { ProblemResolver } from '../core/lookup/resolver';
import { PricingResolver } from '../core/pricing/resolver';
import { CfdiResolver } from '../domains/cfdi/resolver';
import { ComplianceResolver } from '../domains/compliance/resolver';
import { EducationResolver } from '../domains/education/resolver';
import { EmployerResolver, resolveEmployerReference } from '../domains/employer/resolver';
import { FileResolver } from '../domains/files/resolver';
import { HousingResolver } from '../domains/housing/resolver';
import { PersonResolver, resolvePersonReference } from '../domains/person/resolver';
import { PopulationResolver } from '../domains/population/resolver';
import { EmployerReceiptsResolver, ReceiptFilesResolver } from '../domains/receipts/resolver';
import { SnapshotsResolver } from '../domains/snapshots/resolver';
import { SignatureResolver } from '../domains/tax/resolver';
import { AuditResolver } from '../money/audit/resolver';
import { BudgetResolver, resolveBudgetReference } from '../money/budgets/resolver';
import { EventResolver } from '../money/events/resolver';
import { LedgerResolver, resolveLedgerEntryReference } from '../money/ledger/resolver';
import { OperationResolver } from '../money/operations/resolver';
import { tagByResolver } from './router-directives';
import { toSubgraph } from './subgraph';

export interface Graph {
  readonly schema: GraphQLSchema;
  readonly sdl: string;
  readonly catalogue: readonly CatalogueEntry[];
}

/** The resolvers of each part of the graph. A router excludes a part by its tag. */
const resolvers = {
  lookup: [
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
    ProblemResolver,
  ],
  money: [PricingResolver, OperationResolver, BudgetResolver],
  compliance: [LedgerResolver, AuditResolver, EventResolver],
  batch: [BatchResolver, BatchChangesResolver],
} as const;

export function buildGraph({ scopes = false }: { readonly scopes?: boolean } = {}): Graph {
  const inner = buildSchemaSync({
    resolvers: [...resolvers.lookup, ...resolvers.money, ...resolvers.compliance, ...resolvers.batch],
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
  const { schema, sdl } = toSubgraph(inner, { references, scopes, findTag: tagByResolver(resolvers) });
  return { schema, sdl, catalogue: buildCatalogue(inner) };
}
