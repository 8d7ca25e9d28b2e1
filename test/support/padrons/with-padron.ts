import { type RunningPadron, runPadron, type Setup } from './padron';

/** A padron for one test, stopped whatever becomes of the test. */
export async function withPadron<Result>(
  setup: Setup,
  use: (padron: RunningPadron) => Promise<Result>,
): Promise<Result> {
  const padron = await runPadron(setup);
  try {
    return await use(padron);
  } finally {
    await padron.stop();
  }
}
