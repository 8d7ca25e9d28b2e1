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
import type { Proof } from '../../money/reading/proofs';
import { proofCodes } from './codes';
import { renderProof } from './document';
import type { EntryFacts } from './facts';
import type { ProofKeys } from './signature';

/** Part of the context of a request that the field reads. Absent without a store, or without `PROOF_KEY`. */
export interface ProofsOfCaller extends CallerExtension {
  readonly keys: ProofKeys;
  readonly service: string;
  readonly localTime: (moment: Date) => string;
}

const ProofLanguages = enumType<'EN' | 'ES'>('RegistryProofLanguage', 'Language of a proof.', {
  EN: 'English.',
  ES: 'Spanish.',
});

/** Maximum entries of a document, about 35 pages. */
const maxEntries = 100;

@Resolver()
class ProofResolver {
  @Query(() => RegistryFile, {
    nullable: true,
    description:
      'The proof of one entry, or of all entries under a reference, as a signed PDF. Free, and recorded in the audit trail. A JWT needs the scope `padron_proofs`. Without `PROOF_KEY` it is rejected with `PROOFS_OFF`.',
  })
  @OwnScope('padron_proofs')
  async registryProofDocument(
    @Arg('subject', () => RegistrySubjectInput, {
      description:
        'The person or the employer, as the document names them. Each identifier must be linked to an entry, otherwise the document is rejected with `PROOF_NOT_FOUND`.',
    })
    subject: RegistrySubjectInput,
    @Arg('id', () => ID, { nullable: true, description: 'The entry: `evidence { ledgerId }`. Omitted: give a `reference`.' })
    id: string | null,
    @Arg('reference', () => String, {
      nullable: true,
      description: `All entries of the person under this reference, ${maxEntries} at most. Omitted: give an \`id\`.`,
    })
    reference: string | null,
    @Arg('actor', () => String, {
      nullable: true,
      description:
        'The person who asked, as the document names them: the `sub` of JWTs that also name an application. Only their entries are found. A JWT needs the scope `padron_audit` too. Omitted: the document names no person who asked.',
    })
    actor: string | null,
    @Arg('language', () => ProofLanguages, {
      nullable: true,
      description: 'Language of the document. Omitted: that of the request.',
    })
    language: 'EN' | 'ES' | null,
    @Ctx() context: Context,
  ): Promise<RegistryFile> {
    const view = requireScope(context, 'padron_proofs');
    if (actor !== null) requireScope(context, 'padron_audit');
    const proofs = context.extensions.proof as ProofsOfCaller | undefined;
    if (proofs === undefined) throw clientError('PROOFS_OFF', proofCodes.PROOFS_OFF.message);
    if ((id === null) === (reference === null)) throw invalidInput('Give an `id` or a `reference`, and not both.');
    const subjects = readSubject(context, subject);
    const { reader } = requireLedger(context);
    const filter = readFilter({ reference, actor }, reader);
    await requireKeys(context);
    const entries = await reader.proofs(view, { id, filter, subjects }, maxEntries + 1);
    // An account that has entries has been verified before.
    if (entries.length === 0) await requireKnownAccount(context);
    const lang = language === null ? context.language : language === 'ES' ? 'es' : 'en';
    return recordKnownChange(
      context,
      { action: 'MAKE_PROOF', scope: 'padron_proofs', details: { identifiers: kindsOf(subjects) } },
      async (receipt) => {
        if (!subjects.every((named) => entries.some((entry) => entry.subjects.includes(named))))
          throw clientError('PROOF_NOT_FOUND', proofCodes.PROOF_NOT_FOUND.message);
        if (entries.length > maxEntries)
          throw invalidInput(`The reference has more than ${maxEntries} entries. Make a document for each \`id\`.`);
        const { keys, service, localTime } = proofs;
        const at = localTime(receipt.at);
        const facts = entries.map((entry) => toFacts(entry, actor, localTime));
        const bytes = await renderProof({ v: 1, lang, id: receipt.id, at, service, reference, entries: facts }, keys);
        return toFile(`padron-proof-${receipt.id}.pdf`, bytes);
      },
      () => ({ entries: entries.length }),
    );
  }
}

function toFacts(proof: Proof, actor: string | null, localTime: ProofsOfCaller['localTime']): EntryFacts {
  const { id, at, evidence, subjects, settlement, outcome, problem, units, purpose, client, sha256 } = proof;
  const { endpoint, status, servedFrom: source, checkedAt } = evidence;
  const isReused = source === 'REPLAY' || source === 'KEPT';
  return {
    ...{ id, endpoint, outcome, problem, status, source, units, purpose, client, actor, sha256 },
    subject: Object.fromEntries(subjects.map(({ kind, value }) => [kind, value])),
    at: localTime(at),
    checked: checkedAt && localTime(checkedAt),
    age: isReused && checkedAt !== null ? Math.max(0, Math.round((at.getTime() - checkedAt.getTime()) / 1_000)) : null,
    code: evidence.validationCode,
    billing: settlement?.billing ?? evidence.billing,
  };
}

const toFile = (filename: string, inlineContent: Buffer): RegistryFile => ({
  ...{ filename, contentType: 'application/pdf', sizeBytes: inlineContent.length, inlineContent },
  ...{ url: null, expiresAt: null, receipt: null },
});

export const proofGraph: GraphPart = {
  tag: 'compliance',
  codes: proofCodes,
  resolvers: [ProofResolver],
  privateArguments: { 'Query.registryProofDocument': ['subject', 'reference', 'actor'] },
  // A document is written and signed.
  weights: { registryProofDocument: 20_000 },
};
