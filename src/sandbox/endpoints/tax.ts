import { sandboxRevokedSerials } from '../efirma/credentials';
import { verifySignature } from '../efirma/verify-signature';
import { found, invalid, type ServiceResponse } from '../protocol/responses';
import type { Question } from '../protocol/route';

export function verifyElectronicSignature({ values, files, dependencies }: Question): ServiceResponse {
  const emptyFile = Buffer.alloc(0);
  const result = verifySignature(
    {
      userId: values.userId ?? '',
      password: values.password ?? '',
      certificate: files.certificate ?? emptyFile,
      privateKey: files.privateKey ?? emptyFile,
    },
    { authorities: dependencies.authorities, revokedSerials: sandboxRevokedSerials, now: dependencies.now() },
  );
  return result.valid ? found() : invalid('common', { [result.field]: [result.message] });
}
