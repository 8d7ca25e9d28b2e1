import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import {
  type LedgerQuery,
  type LedgerView,
  type PageRequest,
  type SettlementInput,
  type SpendKey,
  TooManySumsError,
} from '../../../money/ledger/entries/ledger-api';
import { invalidInput } from '../../core/client-error';
import type { Context } from '../../core/context';
import { kindsOf, recordChange, recordSearch } from '../audit/recording';
import {
  keyMissing,
  OwnScope,
  requireGrantedScope,
  requireKeys,
  requireLedger,
  requireScope,
  visibleEntries,
} from './access';
import { pageOf, readFilter, readPageRequest, readSettlements, readSubject } from './read-input';
import {
  RegistryBillingInput,
  RegistryErasure,
  RegistryLedgerEntry,
  RegistryLedgerFilter,
  RegistryLedgerPage,
  RegistrySpend,
  RegistrySubjectInput,
  SpendKeys,
} from './types';

const maxKeys = 4;
const defaultPage = 100;

@Resolver()
export class LedgerResolver {
  @Query(() => RegistryLedgerPage, {
    nullable: true,
    description:
      'Calls of this account, newest first. Free. With the scope `padron_ledger` a JWT sees the calls of all clients. Without the scope it sees those of its own client.',
  })
  async registryLedger(
    @Arg('filter', () => RegistryLedgerFilter, { nullable: true, description: 'Filter. Omitted: all entries.' })
    filter: RegistryLedgerFilter | null,
    @Arg('first', () => Int, { defaultValue: defaultPage, description: 'Page size, 1,000 at most.' }) first: number,
    @Arg('after', () => String, { nullable: true, description: '`next` of the previous page.' }) after: string | null,
    @Ctx() context: Context,
  ): Promise<RegistryLedgerPage> {
    const view = await searchedEntries(context, filter);
    const query = { filter: readFilter(filter, requireLedger(context).reader) };
    const page = await readEntries(context, view, query, readPageRequest(first, after));
    await recordFilter(context, view, filter, page.entries.length, hasBlocked(page));
    return page;
  }

  @Query(() => [RegistrySpend], {
    nullable: true,
    description:
      'Sums of the ledger, in the order of `by`. Free. Days and months are those of `TIME_ZONE`. Access is the same as for `registryLedger`.',
  })
  async registrySpend(
    @Arg('filter', () => RegistryLedgerFilter, { nullable: true, description: 'Filter. Omitted: all entries.' })
    filter: RegistryLedgerFilter | null,
    @Arg('by', () => [SpendKeys], {
      defaultValue: ['DAY'],
      description: 'Keys of the sums, four at most: one sum per combination.',
    })
    by: readonly SpendKey[],
    @Ctx() context: Context,
  ): Promise<readonly RegistrySpend[]> {
    const view = await searchedEntries(context, filter);
    const keys = [...new Set(by)];
    if (keys.length > maxKeys) throw invalidInput(`\`by\` must have at most ${maxKeys} keys.`);
    const { reader } = requireLedger(context);
    const wanted = readFilter(filter, reader);
    try {
      const sums = await reader.spend(view, wanted, keys);
      const entries = sums.reduce((count, { calls }) => count + calls, 0);
      await recordFilter(context, view, filter, entries, view.seesBlocked && (filter?.reference ?? null) !== null);
      return sums;
    } catch (error) {
      if (!(error instanceof TooManySumsError)) throw error;
      throw invalidInput(
        `There are more than ${error.max} sums by these keys. Choose a shorter interval, or fewer keys.`,
      );
    }
  }

  @Query(() => RegistryLedgerPage, {
    nullable: true,
    description:
      'Proofs about a person or an employer, found by any of their identifiers, or under a reference, including answers NOT_FOUND. Free. A JWT needs the scope `padron_proofs`. If `DATA_KEYS` lacks a key of stored links, it is rejected with `LEDGER_KEY_MISSING`.',
  })
  @OwnScope('padron_proofs')
  async registryProofs(
    @Arg('subject', () => RegistrySubjectInput, {
      nullable: true,
      description: 'The person or the employer. Omitted: everyone, if there is a `reference`.',
    })
    subject: RegistrySubjectInput | null,
    @Arg('reference', () => String, {
      nullable: true,
      description: 'The case, file or employee: `x-reference`, or the label of a batch row. Omitted: any.',
    })
    reference: string | null,
    @Arg('first', () => Int, { defaultValue: defaultPage, description: 'Page size, 1,000 at most.' }) first: number,
    @Arg('after', () => String, { nullable: true, description: '`next` of the previous page.' }) after: string | null,
    @Ctx() context: Context,
  ): Promise<RegistryLedgerPage> {
    const view = requireScope(context, 'padron_proofs');
    if (subject === null && reference === null) throw invalidInput('Give a `subject`, a `reference`, or both.');
    const subjects = subject === null ? null : readSubject(context, subject);
    const filter = readFilter({ reference }, requireLedger(context).reader);
    const request = readPageRequest(first, after);
    await requireKeys(context);
    const page = await readEntries(context, view, { subjects, filter }, request);
    const identifiers = [...kindsOf(subjects ?? []), ...(reference === null ? [] : (['reference'] as const))];
    const scope = hasBlocked(page) ? 'padron_blocked' : 'padron_proofs';
    await recordSearch(context, scope, identifiers, page.entries.length);
    const { reader } = requireLedger(context);
    return { ...page, otherIdentifiers: subjects && (await reader.otherIdentifiers(view, subjects, filter)) };
  }

  @Mutation(() => [RegistryLedgerEntry], {
    nullable: true,
    description:
      "Records what the service's statement shows for calls whose billing is UNKNOWN. Settles all of them, or none if an entry is not such a call. Free. Repeating it changes nothing. A JWT needs the scope `padron_ledger_settle`.",
  })
  @OwnScope('padron_ledger_settle')
  async settleRegistryBilling(
    @Arg('input', () => [RegistryBillingInput], { description: 'One item per call, 1,000 at most.' })
    input: readonly RegistryBillingInput[],
    @Ctx() context: Context,
  ): Promise<readonly RegistryLedgerEntry[]> {
    const view = requireScope(context, 'padron_ledger_settle');
    const settlements = readSettlements(input);
    return recordChange(
      context,
      { action: 'SETTLE_BILLING', scope: 'padron_ledger_settle', details: { entries: settlements.length } },
      () => settleEntries(context, view, settlements),
      (entries) => ({ units: entries.reduce((sum, { settlement }) => sum + (settlement?.units ?? 0), 0) }),
    );
  }

  @Mutation(() => RegistryErasure, {
    nullable: true,
    description:
      'Erases a person: their rows in batches, and the links from all their identifiers to ledger entries. The entries stay, as accounting. If the period of their purpose runs (`PURPOSES`), the links are blocked until it ends. The answer is a receipt: `registryAudit` finds it by its `id`. Needs a JWT with the scope `padron_erase`.',
  })
  @OwnScope('padron_erase')
  async eraseRegistrySubject(
    @Arg('subject', () => RegistrySubjectInput, { description: 'The person to erase.' }) subject: RegistrySubjectInput,
    @Arg('despiteMissingKeys', () => Boolean, {
      defaultValue: false,
      description:
        'Erases what can be found, although `DATA_KEYS` lacks keys of stored data. Only if these keys are lost for good: the receipt names them in `keysNotSearched`. Without it the erasure is rejected with `LEDGER_KEY_MISSING`.',
    })
    despiteMissingKeys: boolean,
    @Ctx() context: Context,
  ): Promise<RegistryErasure> {
    const view = requireGrantedScope(context, 'padron_erase');
    const subjects = readSubject(context, subject);
    const identifiers = kindsOf(subjects);
    return recordChange(
      context,
      { action: 'ERASE_SUBJECT', scope: 'padron_erase', details: { identifiers } },
      async ({ id, at }) => {
        const keysNotSearched = await findUnsearchedKeys(context);
        if (keysNotSearched.length > 0 && !despiteMissingKeys) throw keyMissing(keysNotSearched, 'Nothing was erased.');
        // The ledger records the erasure, which rows that are running consult when they end.
        const { reader } = requireLedger(context);
        const otherIdentifiers = await reader.otherIdentifiers({ ...view, seesBlocked: false }, subjects, null);
        const notSearched = otherIdentifiers.map(({ kind }) => kind);
        const before = await reader.findBlocked(view, subjects);
        const linked = await reader.eraseSubject(view, subjects, at);
        const erased = await Promise.all(Object.values(context.extensions).map((part) => part.eraseSubject(subjects)));
        const rows = erased.reduce((sum, count) => sum + count, 0);
        const { entries: all, until } = await reader.findBlocked(view, subjects);
        // A caller who may not see blocked links only learns what this erasure has blocked.
        const hidden = view.seesBlocked ? 0 : before.entries;
        const [entries, blockedEntries] = [Math.max(0, linked - hidden), all - hidden];
        const blocked = { blockedEntries, blockedUntil: blockedEntries > 0 ? until : null };
        return { id, at, entries, ...blocked, rows, notSearched, otherIdentifiers, keysNotSearched };
      },
      ({ entries, rows, keysNotSearched }) => ({
        entries,
        rows,
        ...(keysNotSearched.length > 0 ? { keysNotSearched } : {}),
      }),
    );
  }
}

/** Returns the entries that a filter searches. A search by person covers all clients, and needs a scope. */
async function searchedEntries(context: Context, filter: RegistryLedgerFilter | null): Promise<LedgerView> {
  const isByActor = (filter?.actor ?? null) !== null;
  const view = isByActor ? requireScope(context, 'padron_audit') : visibleEntries(context, 'padron_ledger');
  if (isByActor || (filter?.reference ?? null) !== null) await requireKeys(context);
  return view;
}

/** Returns the IDs of keys that `DATA_KEYS` lacks, under which the ledger or an extension has data. An erasure would not find it. */
async function findUnsearchedKeys(context: Context): Promise<readonly string[]> {
  const parts = [requireLedger(context).reader, ...Object.values(context.extensions)];
  return [...new Set((await Promise.all(parts.map((part) => part.missingKeys()))).flat())];
}

async function recordFilter(
  context: Context,
  view: LedgerView,
  filter: RegistryLedgerFilter | null,
  entries: number,
  isBlocked = false,
): Promise<void> {
  const identifiers = (['reference', 'actor'] as const).filter((name) => (filter?.[name] ?? null) !== null);
  if (identifiers.length === 0 && !isBlocked) return;
  const wide = identifiers.includes('actor') ? 'padron_audit' : 'padron_ledger';
  const scope = isBlocked ? 'padron_blocked' : view.client === null ? wide : null;
  await recordSearch(context, scope, identifiers, entries);
}

const hasBlocked = ({ entries }: RegistryLedgerPage): boolean => entries.some(({ blocked }) => blocked !== null);

async function settleEntries(
  context: Context,
  view: LedgerView,
  settlements: readonly SettlementInput[],
): Promise<readonly RegistryLedgerEntry[]> {
  const { reader } = requireLedger(context);
  const [refused] = await reader.settle(view, settlements);
  if (refused !== undefined) {
    const index = settlements.findIndex(({ id }) => id === refused);
    throw invalidInput(
      `Nothing was settled. \`input.${index}.id\` is not an entry of this account whose billing is UNKNOWN. Remove it and try again.`,
    );
  }
  const entries = new Map(
    (await reader.find(view, [...settlements.map(({ id }) => id)])).map((entry) => [entry.id, entry]),
  );
  return settlements.flatMap(({ id }) => entries.get(id) ?? []);
}

async function readEntries(
  context: Context,
  view: LedgerView,
  query: LedgerQuery,
  request: PageRequest,
): Promise<RegistryLedgerPage> {
  const { reader, linkBase } = requireLedger(context);
  const page = await pageOf(reader.page(view, query, request));
  const csvUrl = linkBase === null ? null : `${linkBase}${reader.csvLink(view, query)}`;
  return { ...page, csvUrl, limitedToClient: view.client, otherIdentifiers: null };
}

export async function resolveLedgerEntryReference(
  key: { readonly id?: unknown },
  context: Context,
): Promise<RegistryLedgerEntry | null> {
  const view = visibleEntries(context, 'padron_ledger');
  if (typeof key.id !== 'string') return null;
  return requireLedger(context).load(view, key.id);
}
