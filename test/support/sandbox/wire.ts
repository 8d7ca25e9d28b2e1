import type { Sandbox } from '../../../src/extensions/sandbox/service';
import { createSandboxClient } from './sandbox-client';

/** Returns the `data` of the service, to be compared with the graph's answer. The call is not recorded. */
export async function wireData<Data>(
  sandbox: Sandbox,
  endpoint: string,
  input: Readonly<Record<string, string>>,
): Promise<Data> {
  const { status, body } = await createSandboxClient(sandbox).query(endpoint.replace('POST ', ''), input);
  sandbox.clearCalls();
  if (status !== 200) throw new Error(`The service answers ${status} to ${endpoint}.`);
  return (body as { readonly data: Data }).data;
}

/** Returns null for an empty text, which means the same. */
export const orNull = (value: unknown): unknown => (value === '' || value === undefined ? null : value);
export const asText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : orNull(value));
