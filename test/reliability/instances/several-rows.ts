import {
  callsAtOnce,
  deadlyQuestion,
  fanOut,
  impatientClients,
  killedInCall,
  type Paid,
  rollingRestart,
  splitOperation,
  throttledAccount,
} from './paid-and-needed';

type Row = readonly string[];

const counts = [1, 2, 3];

const asRatio = ({ paid, needed }: Paid): string => `${paid}/${needed}`;
const withUncertain = (figures: Paid): string => `${asRatio(figures)}, \`uncertain\` ${figures.uncertain}`;

const scenarios: readonly (readonly [what: string, run: (count: number) => Promise<string>])[] = [
  ['30 questions × 6 at once, then all of them again', async (count) => asRatio(await fanOut(count))],
  ['clients that give up at 350 ms and repeat, calls of 2 s', async (count) => asRatio(await impatientClients(count))],
  ['`kill -9` in mid-call, then repeats', async (count) => withUncertain(await killedInCall(count))],
  ['rolling SIGTERM under load', async (count) => asRatio(await rollingRestart(count, 3 * count))],
  ['calls at once where 4 are allowed', async (count) => String(await callsAtOnce(count))],
  [
    'calls for 2 questions × 3 of an account with 2 calls a minute, and for one more × 3',
    async (count) => {
      const { allowed, refused } = await throttledAccount(count);
      return `${allowed}, ${refused}`;
    },
  ],
  [
    'calls for a question whose askers are killed 8 times',
    async (count) => String((await deadlyQuestion(8, count)).calls),
  ],
  [
    'units of an operation of 9 that a router splits in 3, where 3 are allowed',
    async (count) => String((await splitOperation(count, { MAX_UNITS: '3' })).paid),
  ],
];

/** Units paid and needed with one, two and three instances. */
export async function severalRows(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [what, run] of scenarios) {
    const figures: string[] = [];
    for (const count of counts) figures.push(await run(count));
    rows.push([what, ...figures]);
  }
  return rows;
}
