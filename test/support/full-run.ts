/** For tests with the largest files: only `.ci/run --all` runs them. */
export const inFullRun: jest.It = process.env.PADRON_TESTS === 'all' ? it : it.skip;
