import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Answer } from '../../registry/answer';
import { type ProblemCode, problem } from '../../registry/problem';
import type { Context } from '../context';
import { checked, type Given, invalid, isRefusal, known, type Refusal, together } from '../lookup/input';
import { refusedAnswer, shown } from '../lookup/lookup';
import { Asks } from '../paid-field';
import { UPLOAD_LIMITS } from '../scalars/upload';
import { checkRfc } from '../validation/employer';
import { checkCredential } from './credential';
import { type SignatureQuestion, verifyElectronicSignature } from './endpoints';
import { type FileInput, SignatureInput, SignatureVerification } from './types';

@Resolver()
export class SignatureResolver {
  @Mutation(() => SignatureVerification, {
    nullable: true,
    description: `Verify an electronic signature (e.firma). POST /api/sat/grupo/verificar-firma-electronica.
The files and the password are first checked here, in memory: what cannot succeed is never sent.`,
  })
  @Asks(verifyElectronicSignature)
  async verifySignature(
    @Arg('input', () => SignatureInput, { description: 'The signature to verify.' }) input: SignatureInput,
    @Ctx() context: Context,
  ): Promise<SignatureVerification> {
    if (context.dataSource.isDryRun) return dryRun(context, input);
    const [certificate, privateKey] = await Promise.all([
      bytesOf(input.certificate, ['input', 'certificate']),
      bytesOf(input.privateKey, ['input', 'privateKey']),
    ]);
    try {
      return await verify(context, input, certificate, privateKey);
    } finally {
      for (const file of [certificate, privateKey]) if (!isRefusal(file)) file.value.fill(0);
    }
  }
}

async function verify(
  context: Context,
  input: SignatureInput,
  certificate: Given<Buffer>,
  privateKey: Given<Buffer>,
): Promise<SignatureVerification> {
  const question = together<SignatureQuestion>({
    rfc: checked(context, input.rfc, checkRfc, ['input', 'rfc']),
    password: known(input.password),
    certificate,
    privateKey,
  });
  if (isRefusal(question)) return refused(context, question, null, null);
  const check = checkCredential(question.value, context.now());
  const problems = [...check.refusals, ...check.warnings].map(({ code, message, field }) =>
    problem(code, { message, path: ['input', field] }),
  );
  if (check.refusals.length > 0) {
    const refusal: Refusal = { refused: 'INVALID_INPUT', problems };
    return refused(context, refusal, check.certificate, isKnownInvalid(check.refusals) ? false : null);
  }
  const answer = await context.dataSource.fetchUncached(verifyElectronicSignature, question.value);
  return shown(answer, problems, { valid: validity(answer), certificate: check.certificate });
}

/** Tells the price without touching the files: they can be read once only, and are overwritten after it. */
async function dryRun(context: Context, { rfc, password }: SignatureInput): Promise<SignatureVerification> {
  const given = checked(context, rfc, checkRfc, ['input', 'rfc']);
  if (isRefusal(given)) return refused(context, given, null, null);
  const noFile = Buffer.alloc(0);
  const question = { rfc, password, certificate: noFile, privateKey: noFile };
  const answer = await context.dataSource.fetchUncached(verifyElectronicSignature, question);
  return shown(answer, [], { valid: null, certificate: null });
}

function refused(
  context: Context,
  refusal: Refusal,
  certificate: SignatureVerification['certificate'],
  valid: boolean | null,
): SignatureVerification {
  return shown(refusedAnswer(context, verifyElectronicSignature, refusal), [], { valid, certificate });
}

function validity({ outcome }: Answer<unknown>): boolean | null {
  if (outcome === 'FOUND') return true;
  return outcome === 'INVALID_INPUT' ? false : null;
}

/** What says that the signature is not valid, beside what only keeps us from telling. */
const disproofs: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'CERTIFICATE_EXPIRED',
  'CERTIFICATE_NOT_YET_VALID',
  'KEY_MISMATCH',
  'RFC_MISMATCH',
  'NOT_EFIRMA',
]);

function isKnownInvalid(refusals: readonly { readonly code: ProblemCode }[]): boolean {
  return refusals.some(({ code }) => disproofs.has(code));
}

/** Both files of a request are read at once: one that waits for the other would hang. */
async function bytesOf({ upload, base64 }: FileInput, path: readonly string[]): Promise<Given<Buffer>> {
  const given = [upload, base64].filter((source) => source !== undefined && source !== null);
  if (given.length !== 1) return invalid('FILE_MISSING', path);
  if (typeof base64 === 'string') return bounded(Buffer.from(base64, 'base64'), path);
  const content = await upload?.content();
  if (content === undefined) return invalid('FILE_MISSING', path);
  // A copy, since it is overwritten after use: another field of the operation may be given the same file.
  if ('bytes' in content) return bounded(Buffer.from(content.bytes), path);
  return invalid(content.fault === 'TOO_LARGE' ? 'FILE_TOO_LARGE' : 'FILE_INCOMPLETE', path);
}

function bounded(bytes: Buffer, path: readonly string[]): Given<Buffer> {
  return bytes.length > UPLOAD_LIMITS.bytes ? invalid('FILE_TOO_LARGE', path) : known(bytes);
}
