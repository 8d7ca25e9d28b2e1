import { createHash } from 'node:crypto';
import {
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Values } from '../execution/variables';
import { holdsValues } from './document-store';
import { KnownOperation, type Plans, type ReadyQuestion } from './known-operation';
import type { OperationLimits } from './limits';
import { nestsTooDeep } from './nesting';

const mostOperations = 1_000;
/** Of all documents kept: what is read from one takes some thirty times its text. */
const mostCharacters = 1_000_000;
const longestDocument = 50_000;
/** Beside those, so only small ones. */
const mostRecent = 32;
const longestRecent = 5_000;
const mostFieldsOfRecent = 200;
/** A planned field takes what so many characters of a document do. */
const charactersOfField = 17;
/** Of all plans that conditions led to. */
const mostFields = 120_000;
const mostRefusals = 5_000;

/** Whoever may look at the schema asks Apollo. */
const rules = [...specifiedRules, NoSchemaIntrospectionCustomRule];

/** Limits of a document that is read and of what it may ask. */
export type ReadingLimits = OperationLimits & { readonly tokens: number };

/** Queries that were read, checked and planned before. What holds values of its own is not kept (see `document-store.ts`). */
export class KnownOperations {
  private readonly known = new LRUCache<string, KnownOperation>({
    max: mostOperations,
    maxSize: mostCharacters,
    sizeCalculation: ({ source, fieldsKept }) => source.length + fieldsKept * charactersOfField,
  });
  private readonly plans: Plans = new LRUCache({ maxSize: mostFields, sizeCalculation: ({ plan }) => plan?.size ?? 1 });
  /** One of the last asked for each length, found without a hash of all its text. */
  private readonly recent: (KnownOperation | undefined)[] = [];
  /** Hashes of texts that are not for a plan, so that they are not read twice each time: a hash tells nothing of what they hold. */
  private readonly refused = new LRUCache<string, true>({ max: mostRefusals });

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly limits: ReadingLimits,
  ) {}

  /** How many fields are planned in all that conditions led to. */
  get fieldsKept(): number {
    return this.plans.calculatedSize;
  }

  /** Null where there is anything to say about the question, or it is not for a plan: Apollo finds out, and tells. */
  ready(source: string, operationName: string | null, given: Values): ReadyQuestion | null {
    const recent = this.recent[source.length % mostRecent];
    if (recent?.source === source && recent.operationName === operationName) return recent.ready(given);
    const key = operationName === null ? source : `${operationName} ${source}`;
    const known = this.known.get(key);
    // Another name and another text can make the same key.
    if (known?.source === source) {
      const isSmall = source.length <= longestRecent && known.fieldsKept <= mostFieldsOfRecent;
      if (isSmall) this.recent[source.length % mostRecent] = known;
      return known.ready(given);
    }
    if (source.length > longestDocument) return null;
    const hash = createHash('sha256').update(key).digest('base64');
    if (this.refused.has(hash)) return null;
    const read = this.read(source, operationName);
    if (read === null) this.refused.set(hash, true);
    else this.known.set(key, read);
    return read?.ready(given) ?? null;
  }

  private read(source: string, operationName: string | null): KnownOperation | null {
    if (nestsTooDeep(source)) return null;
    const document = parsed(source, this.limits.tokens);
    if (document === null || holdsValues(document)) return null;
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== 'query' || validate(this.schema, document, rules).length > 0) return null;
    return new KnownOperation(source, operationName, document, operation, this.schema, this.limits, this.plans);
  }
}

function parsed(source: string, maxTokens: number): DocumentNode | null {
  try {
    return parse(source, { maxTokens });
  } catch {
    return null;
  }
}
