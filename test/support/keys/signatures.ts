import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SandboxCredential, sandboxCredentials } from '../../../src/extensions/sandbox/efirma/credentials';
import { verifyElectronicSignature } from '../../../src/graph/domains/tax/endpoints';
import { addressOf } from '../address-of';
import { findOrThrow } from '../find-or-throw';
import type { GraphqlAnswer, RunningPadron } from '../padrons/padron';
import { graphqlForm, postForm } from '../requests/multipart';

export const VERIFY = addressOf(verifyElectronicSignature);

/** A day on which the sandbox's credentials are valid. */
export const TODAY = new Date('2026-11-20T12:00:00Z');

export const verification = `outcome valid certificate { serialNumber holder rfc curp issuer validFrom validUntil }
  evidence { validationCode endpoint status message servedFrom units billing } problems { code message path retryable }`;
export const verifyMutation = `mutation ($input: SignatureInput!) { verifySignature(input: $input) { ${verification} } }`;

export interface Submission {
  readonly rfc: string;
  readonly password: string;
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
}

export function credentialOf(name: SandboxCredential['name']): SandboxCredential {
  return findOrThrow(sandboxCredentials, (credential) => credential.name === name);
}

export const ways = { 'by multipart': byMultipart, 'by base64': byBase64 } as const;

export function byBase64(padron: RunningPadron, submission: Submission, headers?: Readonly<Record<string, string>>) {
  return padron.ask(verifyMutation, { input: base64Input(submission) }, headers);
}

export function byMultipart(
  padron: RunningPadron,
  submission: Submission,
  headers?: Readonly<Record<string, string>>,
): Promise<GraphqlAnswer> {
  return postForm(padron.url, signatureForm(submission), headers);
}

export function base64Input({ rfc, password, certificate, privateKey }: Submission) {
  return {
    rfc,
    password,
    certificate: { base64: certificate.toString('base64') },
    privateKey: { base64: privateKey.toString('base64') },
  };
}

export function signatureForm(submission: Submission, query = verifyMutation) {
  return graphqlForm(uploadOperation(submission, query), {
    'variables.input.certificate.upload': submission.certificate,
    'variables.input.privateKey.upload': submission.privateKey,
  });
}

/** The operation of such a request, in which files are still to take their places. */
export function uploadOperation({ rfc, password }: Submission, query = verifyMutation) {
  const input = { rfc, password, certificate: { upload: null }, privateKey: { upload: null } };
  return { query, variables: { input } };
}

export function temporaryFile(name: string, content: string | Buffer): string {
  const file = join(mkdtempSync(join(tmpdir(), 'padron-')), name);
  writeFileSync(file, content);
  return file;
}
