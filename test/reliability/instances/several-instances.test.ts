import { deadlyQuestion, killedInCall, rollingRestart } from './paid-and-needed';

const patience = 120_000;

// `npm run reliability -- --several` measures one and two instances too.
describe.each([[3]])('%d instances with a store between them', (count) => {
  it(
    'tell once what may have been paid for by one that was killed',
    async () => {
      expect(await killedInCall(count)).toEqual({ paid: 12, needed: 6, spent: 6, uncertain: 6 });
    },
    patience,
  );

  it(
    'pay once while they are restarted in turn',
    async () => {
      const { paid, needed, spent, uncertain } = await rollingRestart(count);
      expect({ paid, spent, uncertain }).toEqual({ paid: needed, spent: needed, uncertain: 0 });
      expect(needed).toBeGreaterThan(20);
    },
    patience,
  );

  it(
    'do not pay for ever for a question whose askers end',
    async () => {
      const { calls, problems } = await deadlyQuestion(6, count);
      expect(calls).toBeLessThanOrEqual(4);
      expect(problems).toHaveLength(1);
    },
    patience,
  );
});
