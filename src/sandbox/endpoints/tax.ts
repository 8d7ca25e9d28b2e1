import { type Answer, found, invalid } from '../answers';
import { sandboxRevokedSerials } from '../credentials';
import type { Question } from '../question';
import { verifySignature } from '../signature';

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
