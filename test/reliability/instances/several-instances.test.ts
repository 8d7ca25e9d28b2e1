import {
  callsAtOnce,
  deadlyQuestion,
  fanOut,
  impatientClients,
  killedInCall,
  rollingRestart,
  splitOperation,
  throttledAccount,
} from './paid-and-needed';

const patience = 120_000;

// `npm run reliability -- --several` measures one and two instances too.
describe.each([[3]])('%d instances with a store between them', (count) => {
  it(
    'pay once for what is asked of all of them at the same moment, and again',
    async () => {
      expect(await fanOut(count)).toEqual({ paid: 30, needed: 30, spent: 30, uncertain: 0 });
    },
    patience,
  );

  it(
    'pay once for clients that give up and ask again',
    async () => {
      const { paid, uncertain } = await impatientClients(count);
      expect({ paid, uncertain }).toEqual({ paid: 13, uncertain: 0 });
    },
    patience,
  );

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
    'keep to the calls at once that one account may have',
    async () => {
      const max = await callsAtOnce(count);
      expect(max).toBeLessThanOrEqual(4);
      expect(max).toBeGreaterThan(1);
    },
    patience,
  );

  it(
    'all leave an account alone whose limit one of them has met',
    async () => {
      const { allowed, refused } = await throttledAccount(count);
      expect(allowed).toBe(2);
      expect(refused).toBeLessThanOrEqual(1);
    },
    patience,
  );

  it.each([
    ['MAX_UNITS', { MAX_UNITS: '3' }, {}],
    ['x-max-units', {}, { 'x-max-units': '3' }],
  ])(
    'hold a router to one budget for an operation that it splits: %s',
    async (_by, settings, headers) => {
      expect(await splitOperation(count, settings, headers)).toMatchObject({ paid: 3, spent: 3, uncertain: 0 });
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
