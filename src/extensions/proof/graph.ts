// type-graphql needs it before any class of the graph is loaded.
import 'reflect-metadata';
import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import { clientError, invalidInput } from '../../graph/core/client-error';
import type { CallerExtension, Context } from '../../graph/core/context';
import { enumType } from '../../graph/core/fields';
import { RegistryFile } from '../../graph/domains/files/types';
import { kindsOf, recordKnownChange, requireKnownAccount } from '../../graph/money/audit/recording';
import { OwnScope, requireKeys, requireLedger, requireScope } from '../../graph/money/ledger/access';
import { readFilter, readSubject } from '../../graph/money/ledger/read-input';
import { RegistrySubjectInput } from '../../graph/money/ledger/types';
import type { GraphPart } from '../../graph/schema/build-schema';
import type { LedgerEntry } from '../../money/ledger/entries/ledger-api';
import { proofCodes } from './codes';
import { renderProof } from './document';
import { toOthers, type Values } from './facts';

/** Part of the context of a request that the field reads. Absent without a store, or without `PROOF_KEY`. */
export interface ProofsOfCaller extends CallerExtension {
  /** Facts of all documents: the issuer, the service and the key. */
  readonly head: Values;
  /** Names of purposes. */
  readonly labels: ReadonlyMap<string, string>;
  readonly localTime: (moment: Date) => string;
  readonly sign: (content: object) => Promise<string>;
}

const names = { EN: 'English.', ES: 'Spanish.' };
const Languages = enumType<'EN' | 'ES'>('RegistryProofLanguage', 'Language of a document.', names);

/** Maximum entries of a document, about 35 pages. */
const maxEntries = 100;
const description = `The proof of an entry, or of the ${maxEntries} entries at most of a person under a reference, as a signed PDF. Each identifier of \`subject\` must be linked to one of the entries, otherwise it is rejected with \`PROOF_NOT_FOUND\`. Only entries of \`actor\` are found, if it is given. Free. A JWT needs the scope \`padron_proofs\`, with \`actor\` also \`padron_audit\`. Without \`PROOF_KEY\` it is rejected with \`PROOFS_OFF\`.`;

@Resolver()
class ProofResolver {
  @Query(() => RegistryFile, { nullable: true, description })
  @OwnScope('padron_proofs')
  async registryProofDocument(
    @Arg('subject', () => RegistrySubjectInput, { description: 'The person or employer, as it names them.' })
    input: RegistrySubjectInput,
    @Arg('id', () => ID, { nullable: true, description: 'The entry (`ledgerId`), or else give a `reference`.' })
    id: string | null,
    @Arg('reference', () => String, { nullable: true, description: 'The reference, or else give an `id`.' })
    reference: string | null,
    @Arg('actor', () => String, { nullable: true, description: 'The `sub` of the person who asked, to name them.' })
    actor: string | null,
    @Arg('language', () => Languages, { nullable: true, description: 'Omitted: the language of the request.' })
    language: 'EN' | 'ES' | null,
    @Ctx() context: Context,
  ): Promise<RegistryFile> {
    const view = requireScope(context, 'padron_proofs');
    if (actor !== null) requireScope(context, 'padron_audit');
    const proofs = context.extensions.proof as ProofsOfCaller | undefined;
    if (proofs === undefined) throw clientError('PROOFS_OFF', proofCodes.PROOFS_OFF.message);
    if ((id === null) === (reference === null)) throw invalidInput('Give an `id` or a `reference`, and not both.');
    const subjects = readSubject(context, input);
    await requireKeys(context);
    const { reader } = requireLedger(context);
    // The ID of an entry begins with its time.
    const moment = id === null ? null : ((await reader.find(view, [id]))[0]?.at ?? new Date(0));
    const interval = moment && { from: moment, to: new Date(moment.getTime() + 1) };
    const filter = { ...readFilter({ reference, actor }, reader), ...interval };
    const { localTime, sign } = proofs;
    const all = new Map<string, object>();
    let [isComplete, isBlocked] = [true, false];
    for (const subject of subjects) {
      const query = { filter, subjects: [subject] };
      const { entries } = await reader.page(view, query, { first: maxEntries + 1, after: null });
      const linked = entries.filter((entry) => id === null || entry.id === id);
      for (const entry of linked)
        all.set(entry.id, { ...toFacts(entry, proofs), ...all.get(entry.id), [subject.kind]: subject.value, actor });
      isComplete &&= linked.length > 0;
      isBlocked ||= linked.some(({ blocked }) => blocked !== null);
    }
    // An account that has entries has been verified before.
    if (all.size === 0) await requireKnownAccount(context);
    const hashes = await reader.answerHashes([...all.keys()], view);
    // A proof of one entry does not claim to show the whole case.
    const notIncluded = id === null ? await reader.otherIdentifiers(view, subjects, filter) : [];
    const details = { identifiers: kindsOf(subjects) };
    return recordKnownChange(
      context,
      { action: 'MAKE_PROOF', scope: isBlocked ? 'padron_blocked' : 'padron_proofs', details },
      async (receipt) => {
        if (!isComplete) throw clientError('PROOF_NOT_FOUND', proofCodes.PROOF_NOT_FOUND.message);
        if (all.size > maxEntries)
          throw invalidInput(`More than ${maxEntries} entries have this reference. Give the \`id\` of one of them.`);
        const made = localTime(receipt.at);
        const lang = language === null ? context.language : language === 'ES' ? 'es' : 'en';
        const count = { count: all.size, others: toOthers(notIncluded, lang) };
        const head = { ...proofs.head, document: receipt.id, made, reference, ...count };
        const entries = [...all.keys()].sort().map((entry) => ({ ...all.get(entry), sha256: hashes.get(entry) }));
        const inlineContent = await renderProof({ v: 2, lang, head, entries }, sign);
        return {
          ...{ filename: `padron-proof-${receipt.id}.pdf`, contentType: 'application/pdf', inlineContent },
          ...{ sizeBytes: inlineContent.length, url: null, expiresAt: null, receipt: null },
        };
      },
      () => ({ ...details, entries: all.size }),
    );
  }
}

function toFacts(entry: LedgerEntry, { localTime, labels }: ProofsOfCaller) {
  const { id, at, evidence, settlement, outcome, problem, units, purpose, client } = entry;
  const { endpoint, status, validationCode: code, servedFrom: source, checkedAt, age } = evidence;
  return {
    ...{ id, endpoint, outcome, problem, status, code, source, age, units, client },
    purpose: purpose && labels.has(purpose) ? `${labels.get(purpose)} (${purpose})` : purpose,
    at: localTime(at),
    checked: checkedAt && localTime(checkedAt),
    billing: settlement?.billing ?? evidence.billing,
  };
}

export const proofGraph: GraphPart = {
  tag: 'compliance',
  codes: proofCodes,
  resolvers: [ProofResolver],
  // A document is written and signed.
  weights: { registryProofDocument: 20_000 },
};
