import type { Sandbox } from '../../../src/extensions/sandbox/service';
import type { RunningPadron } from '../padrons/padron';
import { withPadron } from '../padrons/with-padron';
import { startProxy } from './tampering-proxy';

export type Alteration = (data: unknown, path: string) => unknown;

/** A padron over the sandbox whose data are altered on the way: for what registries write and the sandbox does not. */
export async function withAltered<Result>(
  alter: Alteration,
  use: (padron: RunningPadron) => Promise<Result>,
): Promise<Result> {
  let target = '';
  const proxy = await startProxy(() => target);
  proxy.tamper(({ json }, { path }) => {
    const body = json as { readonly data?: unknown };
    return 'data' in body ? { json: { ...body, data: alter(body.data, path) } } : null;
  });
  const registryUrl = (sandbox: Sandbox): string => {
    target = sandbox.url;
    return proxy.url;
  };
  try {
    return await withPadron({ registryUrl }, use);
  } finally {
    await proxy.close();
  }
}
