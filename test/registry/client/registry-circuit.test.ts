import { type Permit, RegistryCircuit } from '../../../src/registry/client/registry-circuit';
import type { HttpResult } from '../../../src/registry/transport/transport';
import { waitUntil } from '../../support/proxies/deferred';

const delivered = (status: number, body: unknown = {}): HttpResult => ({
  kind: 'delivered',
  status,
  headers: {},
  body: Buffer.from(JSON.stringify(body)),
});
const answered = delivered(200);
const brokenOff: HttpResult = { kind: 'failed', reason: 'UNREACHABLE', sent: true, detail: 'x' };
const refused: HttpResult = { ...brokenOff, sent: false };
const usual: Permit = { shared: 'call', account: 'call' };

describe('a registry that may have recovered', () => {
  const lets = (circuit: RegistryCircuit, account: string) => !('scope' in circuit.tryAcquire(account));

  it('is tried with one call, while other calls immediately get that it is paused', async () => {
    const circuit = new RegistryCircuit(20);
    for (let call = 0; call < 10; call += 1) circuit.record('a', usual, refused);
    expect([circuit.isOpen, lets(circuit, 'a'), lets(circuit, 'b')]).toEqual([true, false, false]);
    expect(circuit.pausedMs('b')).toBeGreaterThanOrEqual(0);
    // One that left before the pause.
    circuit.record('b', usual, answered);
    expect(circuit.isOpen).toBe(true);
    const back = async () => {
      let permit: Permit | null = null;
      await waitUntil(() => {
        const admission = circuit.tryAcquire('b');
        permit = 'scope' in admission ? null : admission;
        return permit !== null;
      });
      expect(permit).toEqual({ shared: 'probe', account: expect.any(String) });
      expect([lets(circuit, 'b'), lets(circuit, 'c')]).toEqual([false, false]);
      expect(circuit.pausedMs('c')).toBeGreaterThanOrEqual(20);
      return permit ?? usual;
    };
    circuit.record('b', await back(), refused);
    expect([circuit.isOpen, lets(circuit, 'c')]).toEqual([true, false]);
    // A trial without an answer proves nothing, so the next call is a trial.
    circuit.record('b', await back(), null);
    expect(circuit.isOpen).toBe(true);
    circuit.record('b', await back(), { kind: 'failed', reason: 'TIMEOUT', sent: false, detail: 'x' });
    expect(circuit.isOpen).toBe(true);
    circuit.record('b', await back(), answered);
    expect([circuit.isOpen, circuit.tryAcquire('b'), circuit.pausedMs('c')]).toEqual([false, usual, null]);
  });

  it('is reported when it is paused for all accounts, by each failed trial, and with each answer afterwards', async () => {
    const reports: (string | null)[] = [];
    const circuit = new RegistryCircuit(20, (reason) => reports.push(reason));
    // One account may have caused its failures itself.
    for (let call = 0; call < 10; call += 1) circuit.record('a', usual, brokenOff);
    expect(reports).toEqual([]);
    for (let call = 0; call < 10; call += 1) circuit.record('b', usual, call < 9 ? refused : delivered(502));
    circuit.record('c', usual, answered);
    expect(reports).toEqual(['REGISTRY_UNREACHABLE']);
    const unsent: HttpResult = { kind: 'failed', reason: 'TIMEOUT', sent: false, detail: 'x' };
    for (const result of [unsent, delivered(502), answered]) {
      await waitUntil(() => !('scope' in circuit.tryAcquire('c')));
      circuit.record('c', { shared: 'probe', account: 'call' }, result);
    }
    expect(reports).toEqual(['REGISTRY_UNREACHABLE', 'REGISTRY_ERROR', null]);
  });

  it('is tried immediately by a second account if the first account may have caused the failed trial', async () => {
    const circuit = new RegistryCircuit(20);
    for (let call = 0; call < 10; call += 1) circuit.record(call % 2 === 0 ? 'a' : 'b', usual, brokenOff);
    expect(circuit.isOpen).toBe(true);
    let permit = usual;
    await waitUntil(() => {
      const admission = circuit.tryAcquire('a');
      if (!('scope' in admission)) permit = admission;
      return !('scope' in admission);
    });
    circuit.record('a', permit, brokenOff);
    expect(lets(circuit, 'a')).toBe(false);
    const second = circuit.tryAcquire('c');
    expect(second).toEqual({ shared: 'probe', account: 'call' });
    circuit.record('c', second as Permit, answered);
    expect([circuit.isOpen, lets(circuit, 'd')]).toEqual([false, true]);
  });

  it('keeps at most a thousand accounts, and none whose calls succeed', () => {
    const circuit = new RegistryCircuit(1_000);
    const portal = delivered(502, { ok: false, error: { code: 'IMSS_HTTP_ERROR', message: 'x' } });
    for (let account = 0; account < 3_000; account += 1) circuit.record(`${account}`, usual, portal);
    expect(circuit.size).toBe(1_000);
    for (let account = 0; account < 3_000; account += 1) circuit.record(`${account}`, usual, answered);
    expect([circuit.size, circuit.pausedAccounts, circuit.isOpen]).toEqual([0, 0, false]);
  });
});
