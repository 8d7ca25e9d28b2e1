import {
  type SandboxCredential,
  sandboxAuthorities,
  sandboxCredentials,
  sandboxRevokedSerials,
} from '../../../../src/extensions/sandbox/efirma/credentials';
import { verifySignature } from '../../../../src/extensions/sandbox/efirma/verify-signature';
import { checkCredential } from '../../../../src/graph/domains/tax/credential';

const NOW = new Date('2026-11-20T12:00:00Z');

describe('the credentials of the sandbox', () => {
  const trust = { authorities: sandboxAuthorities, revokedSerials: sandboxRevokedSerials, now: NOW };
  const named = (name: string) => {
    const found = sandboxCredentials.find((credential) => credential.name === name);
    if (found === undefined) throw new Error(`no credential is called ${name}`);
    return found;
  };

  const submit = ({ rfc, password, certificate, privateKey }: SandboxCredential) =>
    verifySignature({ userId: rfc, password, certificate, privateKey }, trust);

  it.each([
    ['person', { valid: true }, []],
    ['company', { valid: true }, []],
    ['revoked', { valid: false, field: 'certificate', message: 'El certificado ha sido revocado.' }, []],
    [
      'expired',
      { valid: false, field: 'certificate', message: 'El certificado ha expirado.' },
      ['CERTIFICATE_EXPIRED'],
    ],
    ['seal', { valid: false, field: 'certificate', message: expect.stringMatching(/sello/) }, ['NOT_EFIRMA']],
  ])('match their name: %s', async (name, verdict, refused) => {
    const credential = named(name);
    expect(submit(credential)).toEqual(verdict);
    const check = await checkCredential(credential, NOW);
    expect(check.blockingProblems.map(({ code }) => code)).toEqual(refused);
    expect(check.warnings).toEqual([]);
  });

  it('are not changed by a reader that overwrites its buffers', () => {
    named('person').privateKey.fill(0);
    named('person').certificate.fill(0);
    expect(submit(named('person'))).toEqual({ valid: true });
  });
});
