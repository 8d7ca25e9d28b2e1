import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { LiveDataSource } from '../../../../src/money/calls/live-data-source';
import type { AnyEndpoint } from '../../../../src/registry/endpoint/endpoint';
import { bearer, JWT_SECRET } from '../../../support/keys/identity-provider';
import { somebody } from '../../../support/operations/people-fields';
import { type PreparedPadron, preparePadron } from '../../../support/padrons/ledger';
import type { RunningPadron } from '../../../support/padrons/padron';
import { isAwaited, sharingRig } from '../../../support/padrons/sharing-padrons';
import { waitUntil } from '../../../support/proxies/deferred';
import { BatchClient } from '../../../support/requests/batches';
import { askPriced, priceOf } from '../../../support/requests/money';
import { sandboxForTests } from '../../../support/sandbox/sandbox-for-tests';
import { engineRig, engines } from '../../../support/stores/engines';
import { callsOf, holdCalls, newOperation, paidCalls, sumsOf } from './operation';

type Headers = Readonly<Record<string, string>>;

const lookup = '{ outcome problems { code } evidence { servedFrom validationCode } }';
const licences = `query ($names: String!, $paternalSurname: String!) {
  person(name: { names: $names, paternalSurname: $paternalSurname }) { lookup: licences(match: ALL) ${lookup} } }`;
const certificate = `query ($folio: CertificateFolio!) { lookup: studyCertificate(folio: $folio) ${lookup} }`;

const { names, paternalSurname } = somebody;
const name = (write: (part: string) => string) => ({
  query: licences,
  variables: { names: write(names), paternalSurname: write(paternalSurname) },
});
const lower = name((part) => part.toLowerCase());
const upper = name((part) => ` ${part.replaceAll(' ', '   ')}`);
const folioOf = (folio: string) => ({ query: certificate, variables: { folio } });
const folio = somebody.certificate?.folio ?? '';
const [found, foundInCapitals] = [folioOf(folio), folioOf(folio.toUpperCase())];
const [unknown, unknownInCapitals] = [
  folioOf(`${folio.slice(0, -3)}abc`),
  folioOf(`${folio.slice(0, -3)}abc`.toUpperCase()),
];

const another = folioOf(`${folio.slice(0, -3)}fff`);
type Question = typeof lower | typeof found;

interface Lookup {
  readonly outcome: string;
  readonly evidence: { readonly servedFrom: string };
}

const lookupOf = (data: { readonly person?: { readonly lookup: Lookup }; readonly lookup?: Lookup }): Lookup => {
  const lookup = data.person?.lookup ?? data.lookup;
  if (lookup === undefined) throw new Error('The response has no lookup.');
  return lookup;
};

/** Asks, and waits until the answer is in the store. Returns the outcome, the units and where the answer comes from. */
async function ask(
  padron: Pick<RunningPadron, 'url'>,
  request: Parameters<typeof askPriced>[1],
  headers: Headers = {},
) {
  const { data, units, errors } = await askPriced(padron, request, headers);
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  await sumsOf(padron, newOperation(), headers);
  const { outcome, evidence } = lookupOf(data);
  return [outcome, units?.spent, evidence.servedFrom];
}

const withJwts = { REUSE_DAYS: '30', JWT_SECRET, REGISTRY_TOKEN: SANDBOX_TOKEN };
const scope = 'use_buscar_cedula use_validar_certificado padron_batch padron_ledger padron_erase';
const as = (client: string): Headers => bearer({ client_id: client, scope });
const aged: Headers = { ...as('hr'), 'x-max-age': '30d' };

/** An endpoint as the version before had it: each spelling was a question. */
function before({ spelling, cacheKey: _, isSpellingExact: __, ...endpoint }: AnyEndpoint): AnyEndpoint {
  return { ...endpoint, ...(spelling === undefined ? {} : { toWire: spelling as AnyEndpoint['toWire'] }) };
}

/** Asks with the endpoints of the version before. */
async function askBefore(...parameters: Parameters<typeof ask>) {
  const { fetch } = LiveDataSource.prototype;
  const spy = jest.spyOn(LiveDataSource.prototype, 'fetch').mockImplementation(function (
    this: LiveDataSource,
    endpoint,
    ...others
  ) {
    return fetch.call(this, before(endpoint), ...others) as never;
  });
  try {
    return await ask(...parameters);
  } finally {
    spy.mockRestore();
  }
}

describe.each(engines)('a question that is written in two ways, on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const service = sandboxForTests();
  let prepared: PreparedPadron;
  let padron: RunningPadron;
  const start = async (environment: Headers = { REPLAY_SECONDS: '0' }): Promise<void> => {
    prepared = await preparePadron(rig, { ...withJwts, ...environment });
    padron = await prepared.start({ registryUrl: () => service.url });
    service.clearCalls();
  };
  const restart = async (): Promise<void> => {
    await padron.stop();
    padron = await prepared.start({ registryUrl: () => service.url });
  };
  const calls = (): number => paidCalls(service.calls);

  /** Each way to keep an answer: its settings, and the headers of the requests that share it. */
  const ways: readonly (readonly [way: string, settings: Headers, headers: () => Headers])[] = [
    ['an age', { REPLAY_SECONDS: '0' }, () => aged],
    ['an operation that lasts', { REPLAY_SECONDS: '0' }, () => newOperation({}, as('hr')).begin],
    ['a replay', { REPLAY_SECONDS: '60' }, () => as('hr')],
  ];

  it.each(ways)(
    'is paid for once with %s, after a restart too, but a folio that is not found once in each spelling',
    async (way, settings, headersOf) => {
      await start(settings);
      const headers = headersOf();
      const servedFrom = way === 'a replay' ? 'REPLAY' : 'KEPT';
      expect(await ask(padron, lower, headers)).toEqual(['FOUND', 1, 'LIVE']);
      expect(await ask(padron, upper, headers)).toEqual(['FOUND', 0, servedFrom]);
      expect(await ask(padron, unknown, headers)).toEqual(['NOT_FOUND', 1, 'LIVE']);
      expect((await priceOf(padron, unknownInCapitals, { ...headers, 'x-dry-run': 'now' })).estimatedUnits).toBe(1);
      expect(await ask(padron, unknownInCapitals, headers)).toEqual(['NOT_FOUND', 1, 'LIVE']);
      expect(await ask(padron, foundInCapitals, headers)).toEqual(['FOUND', 1, 'LIVE']);
      if (way !== 'a replay') await restart();
      const kept = [upper, lower, unknown, unknownInCapitals, found, foundInCapitals];
      for (const question of kept) {
        expect((await priceOf(padron, question, { ...headers, 'x-dry-run': 'now' })).estimatedUnits).toBe(0);
        expect(await ask(padron, question, headers)).toEqual([expect.any(String), 0, servedFrom]);
      }
      expect(calls()).toBe(4);
    },
  );

  it.each(ways)(
    'finds what the version before has kept with %s, in the same spelling',
    async (way, settings, headersOf) => {
      await start(settings);
      const headers = headersOf();
      const questions = [lower, upper, unknown, unknownInCapitals, found, foundInCapitals];
      for (const question of questions)
        expect(await askBefore(padron, question, headers)).toEqual([expect.any(String), 1, 'LIVE']);
      expect(calls()).toBe(6);
      if (way !== 'a replay') await restart();
      const servedFrom = way === 'a replay' ? 'REPLAY' : 'KEPT';
      for (const question of questions)
        expect(await ask(padron, question, headers)).toEqual([expect.any(String), 0, servedFrom]);
      expect(calls()).toBe(6);
    },
  );

  it('is one entry of the ledger in a request, as if it were written in one way', async () => {
    await start();
    const fields = (written: string, rewritten: string) =>
      `{ a: studyCertificate(folio: "${written}") { outcome } b: studyCertificate(folio: "${rewritten}") { outcome } }`;
    await askPriced(padron, { query: fields(folio, folio.toUpperCase()) }, as('hr'));
    await askPriced(padron, { query: fields(folio, folio) }, as('hr'));
    await padron.stop();
    const entries = (await prepared.rows()).map(({ units, served_from: from, price }) => [units, price, from]);
    expect(entries.slice(0, entries.length / 2)).toEqual(entries.slice(entries.length / 2));
    expect(entries.filter(([units]) => units === 1)).toHaveLength(2);
  });

  it('is forgotten with the person, although it was kept for one spelling only', async () => {
    await start();
    const { begin } = newOperation({}, as('hr'));
    expect(await ask(padron, unknownInCapitals, begin)).toEqual(['NOT_FOUND', 1, 'LIVE']);
    const query =
      'mutation ($folio: CertificateFolio!) { eraseRegistrySubject(subject: { certificate: $folio }) { entries } }';
    expect(
      (await askPriced(padron, { query, variables: unknown.variables }, as('hr'))).data.eraseRegistrySubject.entries,
    ).toBe(1);
    expect(await ask(padron, unknownInCapitals, begin)).toEqual(['NOT_FOUND', 1, 'LIVE']);
  });

  it('is one question of two rows of a batch, and two of a folio that is not found', async () => {
    await start();
    const client = new BatchClient(padron, '', as('hr'));
    await client.verifyToken();
    service.clearCalls();
    const run = async ({ query }: Question, ...rows: readonly object[]) => {
      const { batch } = await client.create({ operation: query, rows });
      const { estimate } = await client.until(batch.id, 'READY');
      const { progress } = await client.run(batch.id);
      return [estimate.estimatedUnits, progress.spentUnits, progress.savedUnits];
    };
    expect(await run(lower, lower.variables, upper.variables)).toEqual([1, 1, 1]);
    expect(await run(found, found.variables, foundInCapitals.variables)).toEqual([2, 1, 1]);
    expect(await run(found, unknown.variables, unknownInCapitals.variables, unknown.variables)).toEqual([2, 2, 1]);
    expect(calls()).toBe(4);
  });
});

describe.each(['0', '60'])('two processes and two clients of an account, with REPLAY_SECONDS=%s', (seconds) => {
  const rig = sharingRig({ ...withJwts, REPLAY_SECONDS: seconds });
  const askBoth = async (written: Question, rewritten: Question) => {
    const { first, second, proxy } = rig.padrons;
    const began = callsOf(proxy);
    const held = holdCalls(proxy);
    const payer = askPriced(first, written, as('hr'));
    await held.arrived(1);
    const waiter = askPriced(second, rewritten, as('legal'));
    await waitUntil(() => isAwaited(rig.padrons));
    held.release();
    const answers = await Promise.all([payer, waiter]);
    const seen = answers.map(({ data, units }) => [lookupOf(data).outcome, units?.spent]);
    return { seen, calls: callsOf(proxy) - began };
  };
  const shared = (outcome: string) => ({
    seen: [
      [outcome, 1],
      [outcome, 0],
    ],
    calls: 1,
  });

  it('share a running call for another spelling, but not for a folio that is not found', async () => {
    expect(await askBoth(lower, upper)).toEqual(shared('FOUND'));
    expect(await askBoth(found, foundInCapitals)).toEqual(shared('FOUND'));
    expect(await askBoth(another, another)).toEqual(shared('NOT_FOUND'));
    expect(await askBoth(unknown, unknownInCapitals)).toEqual({
      seen: [
        ['NOT_FOUND', 1],
        ['NOT_FOUND', 1],
      ],
      calls: 2,
    });
  });
});
