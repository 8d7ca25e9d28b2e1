import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync, type ClassType, getMetadataStorage } from 'type-graphql';
import { type CodeEntry, type CodeTable, inGroups } from '../../identifiers/code-entry';
import { moneyCodes } from '../../money/codes';
import { registryCodes } from '../../registry/answer/codes';
import { isProblem } from '../../registry/answer/problem';
import type { IdentifierFinder } from '../../registry/endpoint/person';
import { EvidenceResolver, nameProblemCodes, ProblemResolver } from '../core/lookup/types';
import { buildCatalogue, type CatalogueEntry } from '../core/paid-field';
import { PricingResolver } from '../core/pricing/resolver';
import { CfdiResolver } from '../domains/cfdi/resolver';
import { domainCodes } from '../domains/codes';
import { ComplianceResolver } from '../domains/compliance/resolver';
import { EducationResolver } from '../domains/education/resolver';
import { EmployerResolver, resolveEmployerReference } from '../domains/employer/resolver';
import { FileResolver } from '../domains/files/resolver';
import { HousingResolver } from '../domains/housing/resolver';
import { PersonResolver, resolvePersonReference } from '../domains/person/resolver';
import { PopulationResolver } from '../domains/population/resolver';
import { EmployerReceiptsResolver, ReceiptFilesResolver } from '../domains/receipts/resolver';
import { SnapshotsResolver } from '../domains/snapshots/resolver';
import { taxCodes } from '../domains/tax/codes';
import { SignatureResolver } from '../domains/tax/resolver';
import { AuditResolver } from '../money/audit/resolver';
import { BudgetResolver, resolveBudgetReference } from '../money/budgets/resolver';
import { EventResolver } from '../money/events/resolver';
import { LedgerResolver, resolveLedgerEntryReference } from '../money/ledger/resolver';
import { OperationResolver } from '../money/operations/resolver';
import type { ReferenceResolver } from './entities';
import { tagByResolver } from './router-directives';
import { toSubgraph } from './subgraph';

/** Fields that an extension adds to the graph. */
export interface GraphPart {
  /** Tag of its root fields (`@tag`), by which a router leaves them out. */
  readonly tag: string;
  /** Codes of its problems and errors. */
  readonly codes?: CodeTable;
  readonly resolvers: readonly ClassType[];
  /** Resolvers of its entities, by the name of their type. */
  readonly references?: Readonly<Record<string, ReferenceResolver>>;
  /** Weights of its fields that take more work than the size of their answer suggests, by name or by type and name. */
  readonly weights?: Readonly<Record<string, number>>;
  /** Endpoints that find an identifier from another one. */
  readonly finders?: readonly IdentifierFinder[];
  /** Nullable fields that are also null without an error, and why. */
  readonly nullWithoutError?: Readonly<Record<string, string>>;
  /** Nullable fields of its types that are null only together with an error. */
  readonly semanticNonNull?: readonly string[];
}

export interface Graph {
  readonly schema: GraphQLSchema;
  readonly sdl: string;
  readonly catalogue: readonly CatalogueEntry[];
  readonly finders: readonly IdentifierFinder[];
  /** The codes of its problems and errors. The server has more. */
  readonly codes: readonly CodeEntry[];
  readonly parts: readonly GraphPart[];
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
    EvidenceResolver,
    ProblemResolver,
  ],
  money: [PricingResolver, OperationResolver, BudgetResolver],
  compliance: [LedgerResolver, AuditResolver, EventResolver],
} as const;

/** The tables of codes of the core below the server. */
export const coreCodes: readonly CodeTable[] = [registryCodes, moneyCodes, domainCodes, taxCodes];

export interface GraphOptions {
  /** Whether to print the scope of each field. */
  readonly scopes?: boolean;
}

export function buildGraph(parts: readonly GraphPart[], { scopes = false }: GraphOptions = {}): Graph {
  listPartsLast(parts);
  const codes = inGroups([...coreCodes, ...parts.map(({ codes: own = {} }) => own)]);
  nameProblemCodes(codes.filter(isProblem));
  const byTag: Record<string, readonly ClassType[]> = { ...resolvers };
  for (const { tag, resolvers: own } of parts) byTag[tag] = [...(byTag[tag] ?? []), ...own];
  const inner = buildSchemaSync({
    resolvers: Object.values(byTag).flat() as [ClassType, ...ClassType[]],
    // The resolvers validate input. The schema is checked when the subgraph is built.
    validate: false,
    skipCheck: true,
  });
  const references = {
    Person: resolvePersonReference,
    Employer: resolveEmployerReference,
    RegistryLedgerEntry: resolveLedgerEntryReference,
    RegistryBudget: resolveBudgetReference,
    ...Object.assign({}, ...parts.map((part) => part.references)),
  };
  const { schema, sdl } = toSubgraph(inner, { references, scopes, findTag: tagByResolver(byTag) });
  const finders = parts.flatMap((part) => part.finders ?? []);
  return { schema, sdl, catalogue: buildCatalogue(inner), finders, codes, parts };
}

/** The schema has the fields in the order in which their classes were loaded. Those of extensions are loaded first, and listed last. */
function listPartsLast(parts: readonly GraphPart[]): void {
  const { queries, mutations } = getMetadataStorage();
  const placeOf = (target: unknown): number =>
    parts.findIndex(({ resolvers: own }) => own.some((resolver) => resolver === target));
  for (const methods of [queries, mutations])
    methods.sort((left, right) => placeOf(left.target) - placeOf(right.target));
}
