/**
 * Starts something before the tests of a file or a `describe`, and stops it after them. The members of the object that is returned
 * exist when the tests run.
 */
export function startForTests<Running extends object>(
  start: () => Promise<Running>,
  stop: (running: Running) => unknown,
  timeoutMs?: number,
): Running {
  const running = {} as Running;
  beforeAll(async () => {
    Object.assign(running, await start());
  }, timeoutMs);
  afterAll(() => stop(running));
  return running;
}

export function startForEachTest<Running extends object>(
  start: () => Promise<Running>,
  stop: (running: Running) => unknown,
): Running {
  const running = {} as Running;
  beforeEach(async () => {
    Object.assign(running, await start());
  });
  afterEach(() => stop(running));
  return running;
}
