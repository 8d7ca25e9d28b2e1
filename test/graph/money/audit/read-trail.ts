import { OTHER_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { type Claims, signedBySecret } from '../../../support/keys/identity-provider';
import type { GraphqlAnswer, RunningPadron } from '../../../support/padrons/padron';

const SECRET = 'a-secret-shared-with-the-identity-provider';

/** Settings of a padron that has the token of the service and requires JWTs of its callers. */
export const jwtMode = { REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET: SECRET };

const RECORD_FIELDS =
  'id at action outcome client scope requestId problem batch budget budgetClient budgetTag budgetPeriod units entries rows retried identifiers';

/** A record as the graph returns it. */
// biome-ignore lint/suspicious/noExplicitAny: parsed JSON. Every test asserts what it reads.
export type ShownRecord = any;

/** Sends an operation with a JWT that has these claims. */
export const askAs = (
  padron: RunningPadron,
  claims: Claims,
  query: string,
  variables: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<GraphqlAnswer> =>
  padron.ask(query, { ...variables }, { authorization: `Bearer ${signedBySecret(SECRET, claims)}`, ...headers });

/** Returns the audit trail as an auditor reads it, newest first, without null fields. */
export async function readTrail(padron: RunningPadron, filter = '{}'): Promise<readonly ShownRecord[]> {
  const query = `{ registryAudit(filter: ${filter}, first: 1000) { actions { ${RECORD_FIELDS} } } }`;
  const { data, errors } = await askAs(padron, { client_id: 'auditor', scope: 'padron_audit' }, query);
  expect(errors).toBeUndefined();
  return data.registryAudit.actions.map((record: object) =>
    Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null)),
  );
}
