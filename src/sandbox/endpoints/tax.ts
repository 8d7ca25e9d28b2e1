import { sandboxRevokedSerials } from '../efirma/credentials';
import { verifySignature } from '../efirma/verify-signature';
import { found, invalid, type ServiceResponse } from '../protocol/responses';
import type { Question } from '../protocol/route';

/** Whether certificate, key and password are one valid electronic signature of the taxpayer. */
export function verifyElectronicSignature({ values, files, dependencies }: Question): ServiceResponse {
  const nothing = Buffer.alloc(0);
  const verdict = verifySignature(
    {
      userId: values.userId ?? '',
      password: values.password ?? '',
      certificate: files.certificate ?? nothing,
      privateKey: files.privateKey ?? nothing,
    },
    { authorities: dependencies.authorities, revokedSerials: sandboxRevokedSerials, now: dependencies.now() },
  );
  return verdict.valid ? found() : invalid('common', { [verdict.field]: [verdict.message] });
}
