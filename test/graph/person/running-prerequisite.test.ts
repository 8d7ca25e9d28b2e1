import { people } from '../../../src/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { type ProxiedPadron, runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { holdResponses } from '../../support/proxies/held-responses';
import { askPriced } from '../../support/requests/money';

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
