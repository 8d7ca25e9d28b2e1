import { sandboxRevokedSerials } from '../efirma/credentials';
import { verifySignature } from '../efirma/verify-signature';
import { fields } from '../protocol/input-fields';
import { found, invalid, type ServiceResponse } from '../protocol/responses';
import { commonRoute, type Question, type Route } from '../protocol/route';

function verifyElectronicSignature({ values, files, dependencies }: Question): ServiceResponse {
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

const signature = [fields.userId, fields.password, fields.certificate, fields.privateKey];
const signatureCheck = '/api/sat/grupo/verificar-firma-electronica';

export const taxRoutes: readonly Route[] = [
  {
    ...commonRoute(signatureCheck, 'use_sat_verificar_firma_electronica', signature, verifyElectronicSignature),
    inputFrom: 'form',
  },
];
