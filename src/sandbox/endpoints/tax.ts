import { sandboxRevokedSerials } from '../efirma/credentials';
import { verifySignature } from '../efirma/verify-signature';
import { type Answer, found, invalid } from '../protocol/responses';
import type { Question } from '../protocol/route';

/** Whether certificate, key and password are one valid electronic signature of the taxpayer. */
export function verifyElectronicSignature({ values, files, world }: Question): Answer {
  const nothing = Buffer.alloc(0);
  const verdict = verifySignature(
    {
      userId: values.userId ?? '',
      password: values.password ?? '',
      certificate: files.certificate ?? nothing,
      privateKey: files.privateKey ?? nothing,
    },
    { authorities: world.authorities, revokedSerials: sandboxRevokedSerials, now: world.now() },
  );
  return verdict.valid ? found() : invalid('common', { [verdict.field]: [verdict.message] });
}
