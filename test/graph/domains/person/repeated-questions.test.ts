import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../../support/find-or-throw';
import { DOWNLOAD, LIST, NOW, OPINION, payer, SNAPSHOTS, SUBJECT } from '../../../support/operations/employer-graph';
import { lookup } from '../../../support/operations/lookup';
import { claudia, uriel } from '../../../support/operations/mixed-people';
import { ACCOUNT, CREDIT, IDENTITY, SEARCH, STATUS } from '../../../support/operations/people-endpoints';
import { somebody } from '../../../support/operations/people-fields';
import { type RunningPadron, runPadron } from '../../../support/padrons/padron';
import {
  padronForTests,
  proxiedPadronForEachTest,
  proxiedPadronForTests,
} from '../../../support/padrons/padron-for-tests';
import { type BarrierProxy, startBarrierProxy } from '../../../support/proxies/barrier-proxy';
import { holdResponses } from '../../../support/proxies/held-responses';
import { askPriced } from '../../../support/requests/money';

interface Lookup {
  readonly outcome: string;
  readonly evidence: { readonly units: number; readonly servedFrom: string };
  readonly record?: { readonly nss: string };
}

interface Asked {
  readonly nss: string;
  readonly credit: Lookup;
}

const unitsOf = (answers: readonly Lookup[]): number => answers.reduce((sum, { evidence }) => sum + evidence.units, 0);

const padron = padronForTests();

describe('the same person asked again in one request', () => {
  const spellings = [
    (nss: string) => nss,
    (nss: string) => ` ${nss} `,
    (nss: string) => `${nss.slice(0, 2)}-${nss.slice(2, 4)}-${nss.slice(4, 6)}-${nss.slice(6, 10)}-${nss.slice(10)}`,
    (nss: string) => [...nss].join(' '),
    (nss: string) => `${nss.slice(0, 5)}\u2013${nss.slice(5)}\u00a0`,
  ];

  it('is paid once, however the NSS is written: 50 questions about 10 people make 10 calls', async () => {
    const written = people.slice(0, 10).flatMap(({ nss }) => spellings.map((write) => write(nss)));
    const aliases = written.map(
      (nss, index) => `p${index}: person(nss: ${JSON.stringify(nss)}) { nss credit { ${lookup} record { nss } } }`,
    );
    const before = padron.spent();
    const { data, errors } = await padron.ask(`{ ${aliases.join('\n')} }`);
    expect(errors).toBeUndefined();
    const answers = Object.values<Asked>(data);
    const credits = answers.map(({ credit }) => credit);
    expect(answers.map(({ nss, credit }) => [nss, credit.outcome, credit.record?.nss])).toEqual(
      people.slice(0, 10).flatMap(({ nss }) => spellings.map(() => [nss, 'FOUND', nss])),
    );
    expect(padron.calls()).toEqual(Array(10).fill(CREDIT));
    expect(unitsOf(credits)).toBe(10);
    expect(padron.spent() - before).toBe(10);
    const served = credits.map(({ evidence }) => evidence.servedFrom).sort();
    expect(served).toEqual([...Array(10).fill('LIVE'), ...Array(40).fill('REPLAY')]);
  });

  it('makes one call to each endpoint of a profile, however the person is identified', async () => {
    const { nss, curp, names, paternalSurname, maternalSurname } = somebody;
    const name = `{ names: "${names}", paternalSurname: "${paternalSurname}", maternalSurname: "${maternalSurname}" }`;
    const ways = [
      `nss: "${nss}"`,
      `curp: "${curp}"`,
      `nss: "${nss}", curp: "${curp.toLowerCase()}"`,
      `curp: "${curp}", name: ${name}`,
      `nss: "${nss}", name: ${name}`,
    ];
    const answers =
      'identity { outcome evidence { units } } licences { outcome evidence { units } } professionalStatus { outcome evidence { units } }';
    const before = padron.spent();
    const { data } = await padron.ask(
      `{ ${ways.map((way, index) => `w${index}: person(${way}) { ${answers} }`).join(' ')} }`,
    );
    const lookups = Object.values<Record<string, Lookup>>(data).flatMap((way) => Object.values(way));
    expect(lookups.map(({ outcome }) => outcome)).toEqual(Array(15).fill('FOUND'));
    expect([...padron.calls()].sort()).toEqual([CREDIT, IDENTITY, SEARCH, STATUS].sort());
    // The credit was bought on the way: no evidence here speaks of it.
    expect(unitsOf(lookups)).toBe(4);
    expect(padron.spent() - before).toBe(5);
  });

  it('makes each call of a chain in sandbox mode', async () => {
    const { data } = await padron.ask(
      `{ person(nss: "${somebody.nss}") { licences { outcome } } }`,
      {},
      { 'x-sandbox': 'true' },
    );
    expect(data.person.licences.outcome).toBe('FOUND');
    const free = { sandbox: true, units: 0 };
    expect(padron.callsInFull()).toMatchObject([
      { endpoint: CREDIT, ...free },
      { endpoint: SEARCH, ...free },
    ]);
  });
});

const { nss, curp } = findOrThrow(
  people,
  ({ credit, licences, alive }) => Boolean(credit) && licences.length > 0 && alive,
);

const query = `query Licences($nss: NSS, $curp: CURP) {
person(nss: $nss, curp: $curp) { licences { outcome problems { code } } }
}`;

const request = { query, variables: { nss, curp } };

describe('licences whose name is still being looked up', () => {
  const padron = proxiedPadronForTests({ REPLAY_SECONDS: '60' });

  it('do not ask another registry for the name because the response is due', async () => {
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const early = await askPriced(padron, request, { 'x-answer-within': '2s' });
    expect(early.data.person.licences).toEqual({ outcome: 'NOT_RUN', problems: [{ code: 'STILL_RUNNING' }] });
    held.release();
    const { data } = await askPriced(padron, request);
    expect(data.person.licences.outcome).toBe('FOUND');
    expect(padron.calls().map((endpoint) => endpoint.split('/').at(-1))).toEqual(['buscar-credito', 'obtener-cedula']);
  });
});

describe('Person.consistency of an early response', () => {
  const padron = proxiedPadronForEachTest({ REPLAY_SECONDS: '0' });
  const soon = { 'x-answer-within': '2s' };
  const profile = (variables: Readonly<Record<string, string>>) => ({
    query: `query Both($nss: NSS, $curp: CURP) { person(nss: $nss, curp: $curp) {
    credit { outcome } identity { outcome } licences { outcome } consistency { status } } }`,
    variables,
  });
  const statusOf = async (request: ReturnType<typeof profile>, headers = {}): Promise<string> =>
    (await askPriced(padron, request, headers)).data.person.consistency.status;

  it('is INSUFFICIENT while a registry that may contradict the others is running', async () => {
    const request = profile({ nss: uriel.nss });
    const held = holdResponses(padron.proxy, 'valida-curp');
    // The housing fund and the education ministry agree.
    expect(await statusOf(request, soon)).toBe('INSUFFICIENT');
    held.release();
    expect(await statusOf(request)).toBe('CONSISTENT');
    expect([padron.calls().length, padron.spent()]).toEqual([3, 3]);
  });

  it('is CONFLICTING if the answers that have arrived contradict each other', async () => {
    const request = profile({ nss: uriel.nss, curp: claudia.curp });
    const held = holdResponses(padron.proxy, 'obtener-cedula');
    expect(await statusOf(request, soon)).toBe('CONFLICTING');
    held.release();
  });

  it('becomes what one complete request says', async () => {
    const request = profile({ nss: uriel.nss, curp: claudia.curp });
    const held = holdResponses(padron.proxy, 'buscar-credito');
    expect(await statusOf(request, soon)).toBe('INSUFFICIENT');
    held.release();
    expect(await statusOf(request)).toBe('CONFLICTING');
  });
});

describe('questions at the same time', () => {
  const example = (name: string): string =>
    readFileSync(join(__dirname, '../../../../schema/examples', `${name}.graphql`), 'utf8');

  /** Every field of an employer: the example, and the opinion with its chain. */
  const employerQuery = example('employer-year').replace(
    '    snapshots {',
    '    complianceOpinion { outcome evidence { units } }\n    snapshots {',
  );

  const year = { registration: payer.registration, from: '2025-01', to: '2025-12' };

  let barrier: BarrierProxy;
  let padron: RunningPadron;

  async function ask(waves: readonly number[], query: string, variables: Readonly<Record<string, unknown>>) {
    barrier = await startBarrierProxy(...waves);
    padron = await runPadron({
      now: () => NOW,
      registryUrl: ({ url }) => barrier.setTarget(url),
      environment: { REGISTRY_TIMEOUT_MS: '60000' },
    });
    return padron.ask(query, variables);
  }

  afterEach(async () => {
    await padron.stop();
    await barrier.close();
  });

  /** Returns the number of requests to each endpoint. */
  function counted(requests: readonly string[]): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const request of requests) counts[request] = (counts[request] ?? 0) + 1;
    return counts;
  }

  describe('the calls of one request wait only for their prerequisites', () => {
    it('a profile: two calls concurrently, then the three that need the name or the CURP', async () => {
      const { data } = await ask([2, 3], example('person-profile'), { nss: '04159600263' });
      expect(barrier.arrived).toHaveLength(5);
      expect([...barrier.arrived.slice(0, 2)].sort()).toEqual([CREDIT, ACCOUNT]);
      const { nss: _nss, consistency, ...lookups } = data.person;
      expect(consistency.status).toBe('CONSISTENT');
      for (const { outcome } of Object.values<{ outcome: string }>(lookups)) expect(outcome).toBe('FOUND');
    });

    it("an employer's year: the months, the snapshots and the subject concurrently, then every file and the opinion", async () => {
      const { data } = await ask([14, 14], employerQuery, year);
      expect(counted(barrier.arrived.slice(0, 14))).toEqual({ [LIST]: 12, [SNAPSHOTS]: 1, [SUBJECT]: 1 });
      const files = barrier.arrived.length - 15;
      expect(counted(barrier.arrived.slice(14))).toEqual({ [DOWNLOAD]: files, [OPINION]: 1 });
      expect(data.employer.complianceOpinion.outcome).toBe('FOUND');
    });
  });
});
