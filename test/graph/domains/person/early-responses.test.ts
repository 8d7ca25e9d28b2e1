import { people } from '../../../../src/sandbox/data/people';
import { findOrThrow } from '../../../support/find-or-throw';
import { claudia, uriel } from '../../../support/operations/mixed-people';
import { type ProxiedPadron, runPadronBehindProxy } from '../../../support/padrons/padron-behind-proxy';
import { holdResponses } from '../../../support/proxies/held-responses';
import { askPriced } from '../../../support/requests/money';

const { nss, curp } = findOrThrow(
  people,
  ({ credit, licences, alive }) => Boolean(credit) && licences.length > 0 && alive,
);
const query = `query Licences($nss: NSS, $curp: CURP) {
  person(nss: $nss, curp: $curp) { licences { outcome problems { code } } }
}`;
const request = { query, variables: { nss, curp } };

describe('licences whose name is still being looked up', () => {
  let padron: ProxiedPadron;
  beforeAll(async () => {
    padron = await runPadronBehindProxy({ REPLAY_SECONDS: '60' });
  });
  afterAll(() => padron.stop());

  it('do not ask another registry for the name because the response is due', async () => {
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const early = await askPriced(padron, request, { 'x-answer-within': '500ms' });
    expect(early.data.person.licences).toEqual({ outcome: 'NOT_RUN', problems: [{ code: 'STILL_RUNNING' }] });
    held.release();
    const { data } = await askPriced(padron, request);
    expect(data.person.licences.outcome).toBe('FOUND');
    expect(padron.calls().map((endpoint) => endpoint.split('/').at(-1))).toEqual(['buscar-credito', 'obtener-cedula']);
  });
});

describe('Person.consistency of an early response', () => {
  let padron: ProxiedPadron;
  beforeEach(async () => {
    padron = await runPadronBehindProxy({ REPLAY_SECONDS: '0' });
  });
  afterEach(() => padron.stop());
  const soon = { 'x-answer-within': '500ms' };
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
