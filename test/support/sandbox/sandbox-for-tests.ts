import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/extensions/sandbox/service';
import { startForTests } from '../start-for-tests';

export function sandboxForTests(options: SandboxOptions = {}): Sandbox {
  return startForTests(
    () => startSandbox(options),
    (sandbox) => sandbox.close(),
  );
}

export function sandboxForEachTest(options: SandboxOptions = {}): Sandbox {
  const sandbox = {} as Sandbox;
  beforeEach(async () => {
    Object.assign(sandbox, await startSandbox(options));
  });
  afterEach(() => sandbox.close());
  return sandbox;
}
