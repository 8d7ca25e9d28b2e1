import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/service';
import { startForTests } from '../start-for-tests';

/** Runs one sandbox for the tests of a file or a `describe`. */
export function sandboxForTests(options: SandboxOptions = {}): Sandbox {
  return startForTests(
    () => startSandbox(options),
    (sandbox) => sandbox.close(),
  );
}

/** Runs a new sandbox for each test of a file or a `describe`. */
export function sandboxForEachTest(options: SandboxOptions = {}): Sandbox {
  const sandbox = {} as Sandbox;
  beforeEach(async () => {
    Object.assign(sandbox, await startSandbox(options));
  });
  afterEach(() => sandbox.close());
  return sandbox;
}
