import { setTimeout as sleep } from 'node:timers/promises';
import { times } from '../../../src/times';
import { askAs, jwtMode } from '../../graph/money/audit/read-trail';
import { type ProxiedPadron, runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { holdResponses } from '../../support/proxies/held-responses';
import { askPriced } from '../../support/requests/money';
import { nss, profile } from '../../support/requests/slow-profile';

const soon = { 'x-answer-within': '300ms' };
const replayed = { billing: 'NOT_CHARGED', servedFrom: 'REPLAY', units: 0 };

let padron: ProxiedPadron;
const start = async (environment: Readonly<Record<string, string>> = {}): Promise<void> => {
  padron = await runPadronBehindProxy(environment);
};
afterEach(() => padron.stop());
const sent = (ending: string): number => padron.proxy.requests.filter(({ path }) => path.endsWith(ending)).length;

describe('the minute after an early response', () => {
  it('returns all answers to the same operation free of charge, even if the server replays no answers', async () => {
    await start({ REPLAY_SECONDS: '0' });
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const first = await askPriced(padron, profile, soon);
    expect(first.units).toMatchObject({ spent: 1, uncertain: 1 });
    const during = await askPriced(padron, profile, { ...soon, 'x-max-units': '0' });
    expect(during.data.slow.credit.problems).toMatchObject([{ code: 'STILL_RUNNING' }]);
    held.release();
    for (let round = 0; round < 3; round += 1) {
      const { data, units } = await askPriced(padron, profile, { 'x-max-units': '0' });
      expect(data.slow.credit).toEqual({ outcome: 'FOUND', problems: [], evidence: replayed });
      expect(data.fast.identity).toEqual({ outcome: 'FOUND', evidence: { servedFrom: 'REPLAY' } });
      expect(units).toMatchObject({ spent: 0, uncertain: 0 });
    }
    expect([padron.calls().length, padron.spent()]).toEqual([2, 2]);
  });

  it('tells the people of JWTs that name no client apart', async () => {
    await start({ ...jwtMode, REPLAY_SECONDS: '0' });
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const askFor = (sub: string, headers = {}): ReturnType<typeof askAs> =>
      askAs(padron, { sub, scope: 'use_buscar_credito use_consultar_curp' }, profile.query, profile.variables, headers);
    await askFor(nss, soon);
    held.release();
    const creditOf = async (sub: string) => (await askFor(sub)).data.slow.credit.evidence.servedFrom;
    expect([await creditOf(nss), await creditOf(`${nss}1`), sent('buscar-credito')]).toEqual(['REPLAY', 'LIVE', 2]);
  });

  it('returns the answer that another caller has got after the failure', async () => {
    await start({ REPLAY_SECONDS: '60' });
    const held = holdResponses(padron.proxy, 'buscar-credito', { status: 503, json: {} });
    const payroll = { 'x-client-name': 'payroll' };
    await askPriced(padron, profile, { ...soon, ...payroll });
    held.release();
    await askPriced(padron, profile, payroll);
    padron.proxy.tamper(async () => null);
    await askPriced(padron, profile, { 'x-client-name': 'kiosk' });
    const { data, units } = await askPriced(padron, profile, payroll);
    expect([data.slow.credit.outcome, units?.spent, sent('buscar-credito')]).toEqual(['FOUND', 0, 2]);
  });

  it('says that a failure that may have been charged is asked again after the minute', async () => {
    await start({ REPLAY_SECONDS: '0' });
    const held = holdResponses(padron.proxy, 'buscar-credito', { status: 503, json: {} });
    await askPriced(padron, profile, soon);
    held.release();
    const { data } = await askPriced(padron, profile);
    expect(data.slow.credit.problems[0].retryAfter).toBeGreaterThan(30);
    expect(data.slow.credit.problems[0].retryAfter).toBeLessThanOrEqual(60);
  });

  it('asks again after a while for a failure that was free', async () => {
    await start({ REPLAY_SECONDS: '0' });
    const held = holdResponses(padron.proxy, 'buscar-credito', { status: 410, json: { success: false } });
    await askPriced(padron, profile, soon);
    held.release();
    expect((await askPriced(padron, profile)).data.slow.credit.problems).toMatchObject([{ code: 'REGISTRY_DECLINED' }]);
    expect(sent('buscar-credito')).toBe(1);
    padron.proxy.tamper(async () => null);
    await sleep(times.freeFailure);
    const again = await askPriced(padron, profile);
    expect([again.data.slow.credit.outcome, again.units?.spent, sent('buscar-credito')]).toEqual(['FOUND', 1, 2]);
    expect(sent('valida-curp')).toBe(1);
  });
});
