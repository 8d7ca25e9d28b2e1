import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { checkRfc } from '../../../identifiers/subjects';
import type { Answer } from '../../../registry/answer/answer';
import { type Problem, problem } from '../../../registry/answer/problem';
import { clientError } from '../../core/client-error';
import type { LookupContext } from '../../core/context';
import {
  combine,
  type Invalid,
  invalid,
  isInvalid,
  rejectedAnswer,
  toLookup,
  type Validated,
  valid,
  validate,
} from '../../core/lookup/lookup';
import { PaidField } from '../../core/paid-field';
import { SecretBytes } from '../../core/scalars/secret-bytes';
import { UPLOAD_LIMITS } from '../../core/scalars/upload';
import { CheckQueue, CheckQueueFullError } from './check-queue';
import { taxCodes } from './codes';
import { type CredentialCheck, type CredentialProblem, checkCredential } from './credential';
import { type SignatureQuestion, verifyElectronicSignature } from './endpoints';
import { toDer } from './private-key';
import { type FileInput, SignatureInput, SignatureVerification } from './types';

@Resolver()
export class SignatureResolver {
  @Mutation(() => SignatureVerification, {
    nullable: true,
    description: `Verify an electronic signature (e.firma).
padron first checks the files and the password in memory, and never sends a call that cannot succeed.`,
  })
  @PaidField(verifyElectronicSignature)
  async verifySignature(
    @Arg('input', () => SignatureInput, { description: 'The signature to verify.' }) input: SignatureInput,
    @Ctx() context: LookupContext,
  ): Promise<SignatureVerification> {
    if (context.dataSource.isDryRun) return dryRun(context, input);
    // Permission is checked first, because opening a key takes a lot of work.
    const refusal = context.dataSource.checkAccess(verifyElectronicSignature);
    if (refusal !== null) return toLookup(refusal, [], { valid: null, certificate: null });
    return SecretBytes.using(async (secrets) => {
      const [certificate, privateKey] = await Promise.all([
        readFile(input.certificate, ['input', 'certificate'], secrets),
        readFile(input.privateKey, ['input', 'privateKey'], secrets),
      ]);
      // The service reads DER only. The key stays encrypted as it is.
      const key = isInvalid(privateKey) ? privateKey : valid(toDer(privateKey.value, secrets));
      return verify(context, input, certificate, key, secrets);
    });
  }
}

async function verify(
  context: LookupContext,
  input: SignatureInput,
  certificate: Validated<Buffer>,
  privateKey: Validated<Buffer>,
  secrets: SecretBytes,
): Promise<SignatureVerification> {
  const question = combine<SignatureQuestion>({
    rfc: validate(context, input.rfc, checkRfc, ['input', 'rfc']),
    password: valid(input.password),
    certificate,
    privateKey,
  });
  if (isInvalid(question)) return toRejected(context, question, null, null);
  const check = await checkInTurn(context, question.value);
  if (check === null) return toRejected(context, clientLeft, null, null);
  const problems = [...check.blockingProblems, ...check.warnings].map(({ code, message, spanish, field }) =>
    problem(taxCodes[code], { message, spanish, path: ['input', field] }),
  );
  if (check.blockingProblems.length > 0) {
    const invalid: Invalid = { outcome: 'INVALID_INPUT', problems };
    return toRejected(context, invalid, check.certificate, isProvenInvalid(check.blockingProblems) ? false : null);
  }
  const { password, certificateFile } = check;
  const sent = { ...question.value, password, certificate: secrets.keep(certificateFile) };
  const answer = await context.dataSource.fetchUncached(verifyElectronicSignature, sent, context.path);
  return toLookup(answer, problems, { valid: toValidity(answer), certificate: check.certificate });
}

/** Runs one check at a time in this process, because the file determines how much work it takes to open a key. */
const checks = new CheckQueue({ maxWaiting: 1_000, maxWaitMs: 10_000 });

const clientLeft: Invalid = { outcome: 'NOT_RUN', problems: [problem('CALLER_GONE')] };

/** Checks a credential when its turn comes. Returns null if the client disconnects before. */
async function checkInTurn(context: LookupContext, credential: SignatureQuestion): Promise<CredentialCheck | null> {
  const { caller, signal, now } = context;
  try {
    return await checks.run(caller.tenant, signal, () => checkCredential(credential, now(), signal));
  } catch (error) {
    if (error instanceof CheckQueueFullError)
      throw clientError('OVERLOADED', 'Too many signatures are waiting to be checked. Try again in a few seconds.');
    if (signal.aborted) return null;
    throw error;
  }
}

/** Returns the price without reading the files, which can be read only once. */
async function dryRun(context: LookupContext, { rfc, password }: SignatureInput): Promise<SignatureVerification> {
  const validRfc = validate(context, rfc, checkRfc, ['input', 'rfc']);
  if (isInvalid(validRfc)) return toRejected(context, validRfc, null, null);
  const noFile = Buffer.alloc(0);
  const question = { rfc, password, certificate: noFile, privateKey: noFile };
  const answer = await context.dataSource.fetchUncached(verifyElectronicSignature, question, context.path);
  return toLookup(answer, [], { valid: null, certificate: null });
}

function toRejected(
  context: LookupContext,
  invalid: Invalid,
  certificate: SignatureVerification['certificate'],
  valid: boolean | null,
): SignatureVerification {
  return toLookup(rejectedAnswer(context, verifyElectronicSignature, invalid), [], { valid, certificate });
}

/** Returns false only if the service found the certificate invalid. A key or a password that it could not read proves nothing. */
function toValidity({ outcome, failsValidation, problems }: Answer<unknown>): boolean | null {
  if (outcome === 'FOUND') return true;
  const isProof = ({ path }: Problem): boolean => ['rfc', 'certificate'].includes(path?.at(-1) ?? '');
  return failsValidation === true && problems.some(isProof) ? false : null;
}

/** Problems which prove that the signature is not valid. With other problems it is unknown. */
const invalidatingProblems: ReadonlySet<keyof typeof taxCodes> = new Set<keyof typeof taxCodes>([
  'CERTIFICATE_EXPIRED',
  'CERTIFICATE_NOT_YET_VALID',
  'KEY_MISMATCH',
  'RFC_MISMATCH',
  'NOT_EFIRMA',
]);

function isProvenInvalid(problems: readonly CredentialProblem[]): boolean {
  return problems.some(({ code }) => invalidatingProblems.has(code));
}

/** Reads a file. Both files of a request must be read at the same time, because waiting for one of them would never end. */
async function readFile(
  { upload, base64 }: FileInput,
  path: readonly string[],
  secrets: SecretBytes,
): Promise<Validated<Buffer>> {
  const sources = [upload, base64].filter((source) => source !== undefined && source !== null);
  if (sources.length !== 1) return invalid(taxCodes.FILE_MISSING, path);
  const bytes =
    typeof base64 === 'string' ? secrets.keep(Buffer.from(base64, 'base64')) : await upload?.content(secrets);
  if (bytes === undefined) return invalid(taxCodes.FILE_MISSING, path);
  if (bytes === null) return invalid(taxCodes.FILE_INCOMPLETE, path);
  return bytes.length > UPLOAD_LIMITS.bytes ? invalid(taxCodes.FILE_TOO_LARGE, path) : valid(bytes);
}
