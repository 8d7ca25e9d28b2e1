/** Tests with the largest files, which only `.ci/run --all` runs. */
export const inFullRun: jest.It = process.env.PADRON_TESTS === 'all' ? it : it.skip;
