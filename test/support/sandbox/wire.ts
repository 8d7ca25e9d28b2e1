import type { Sandbox } from '../../../src/sandbox/service';
import { createSandboxClient } from './sandbox-client';

/** `data` as the service itself gives it, to hold the graph's answer against; leaves no trace among the calls. */
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

/** An empty text says nothing, as null does. */
export const orNull = (value: unknown): unknown => (value === '' || value === undefined ? null : value);
/** Numbers that the graph gives out as text. */
export const asText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : orNull(value));
