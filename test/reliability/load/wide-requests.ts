import { startSandbox } from '../../../src/sandbox/service';
import type { Server } from '../../bench/rig/processes';
import { asked, type Probe, repeated } from '../attacks/probe';
import { measureCost, startWatched } from './cost';

const paid = `a: credit { outcome } b: identity { outcome } c: licences { outcome } d: professionalStatus { outcome }
  e: housingAccount { outcome }`;
const entities = (fields: string): string =>
  `query ($of: [_Any!]!) { _entities(representations: $of) { ... on Person { ${fields} } } }`;
const people = (count: number, nss: (index: number) => string) => ({
  of: Array.from({ length: count }, (_, index) => ({ __typename: 'Person', nss: nss(index) })),
});
const same = people(6_600, () => '04159600263');
const distinct = people(6_600, String);

/** Requests of much work, none of which may hold the event loop for long. */
export const wideRequests: readonly (readonly [what: string, send: Probe['send']])[] = [
  ['five values of each', asked(entities('a: nss b: nss c: nss d: nss e: nss'), same)],
  ['five questions about each, the same', asked(entities(paid), same)],
  ['five questions about each, invalid', asked(entities(paid), distinct)],
  ['five questions about each, for their price', asked(entities(paid), same, { 'x-dry-run': 'true' })],
  ['five questions about each, within a budget', asked(entities(paid), distinct, { 'x-max-units': '5' })],
  [
    'questions in a document that holds values',
    asked(entities(`${paid} f: licences(match: EXACT) { outcome }`).replace('query', 'query Of2026'), distinct),
  ],
  [
    'one question about each of ten thousand',
    asked(
      entities('credit { outcome }'),
      people(10_000, () => '04159600263'),
    ),
  ],
  ['the same field five hundred times', asked(`{ ${repeated(500, () => 'person(nss: "1") { credit { outcome } }')} }`)],
];

/** Starts a padron whose service is another process than its own, and has it answer something first. */
export async function withWatched<Result>(use: (padron: Server) => Promise<Result>): Promise<Result> {
  const sandbox = await startSandbox();
  const padron = await startWatched({ REGISTRY_URL: sandbox.url });
  try {
    await asked(entities(paid), people(100, String))(padron.url);
    return await use(padron);
  } finally {
    await padron.end();
    await sandbox.close();
  }
}

/** The shortest of some times that a request holds the event loop: what it does by itself, whatever else the machine does. */
export async function measureHold(padron: Server, send: Probe['send']): Promise<number> {
  const held: number[] = [];
  for (let time = 0; time < 3; time += 1) held.push((await measureCost(padron, send)).heldMs);
  return Math.min(...held);
}
