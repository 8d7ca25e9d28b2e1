import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readUnits, type UnitUsage } from '../../../../schema/client/units';
import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { getCard } from '../../../../src/extensions/sandbox/test-cards/cards';
import { createLogger } from '../../../../src/server/telemetry/logger';
import { uriel } from '../../../support/operations/mixed-people';
import { runPadron } from '../../../support/padrons/padron';
import { proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import { readConfig, startPadron } from '../../../support/padrons/whole-padron';
import { blocksOf } from '../../../support/pages';
import { askPriced } from '../../../support/requests/money';
import { createSandboxClient } from '../../../support/sandbox/sandbox-client';
import { sandboxForTests } from '../../../support/sandbox/sandbox-for-tests';

const run = promisify(execFile);
const query = `{ person(nss: "${uriel.nss}", curp: "${uriel.curp}") { credit { outcome } identity { outcome } } }`;
const padron = proxiedPadronForTests();

/** Asks for a credit and an identity at once. Returns the milliseconds of each call. */
async function msOfCalls(url: string, headers: Readonly<Record<string, string>>): Promise<readonly number[]> {
  const { data, units } = await askPriced({ url }, { query }, headers);
  expect(data.person).toEqual({ credit: { outcome: 'FOUND' }, identity: { outcome: 'FOUND' } });
  return msByField(units);
}

const msByField = (units: UnitUsage | null | undefined): readonly number[] =>
  ['credit', 'identity'].map((field) => units?.calls.find(({ path }) => path[1] === field)?.ms ?? Number.NaN);

describe('x-sandbox-delay', () => {
  it('delays the answers of the endpoint that it names, and no others', async () => {
    const delay = { 'x-sandbox': 'true', 'x-sandbox-delay': 'buscar-credito=2s' };
    const [credit] = await msOfCalls(padron.url, delay);
    expect(credit).toBeGreaterThan(1_990);
    const delays = padron.proxy.requests.map(({ path, headers }) => [
      path.split('/').at(-1),
      headers['x-sandbox-delay'],
    ]);
    expect(delays.sort()).toEqual([
      ['buscar-credito', '2000'],
      ['valida-curp', undefined],
    ]);
  });

  it('needs no other header over the embedded sandbox, as docs/sandbox.md shows', async () => {
    const embedded = await startPadron(readConfig({ PORT: '0' }), createLogger('silent', { write: () => undefined }));
    const command = blocksOf('sh').find((block) => block.includes('x-sandbox-delay')) ?? '';
    const here = command.replace('http://127.0.0.1:4000/graphql', embedded.url).replace('curl ', 'curl -sS ');
    const { stdout } = await run('bash', ['-c', here]).finally(() => embedded.stop());
    const { data, extensions } = JSON.parse(stdout) as { readonly data: unknown; readonly extensions: unknown };
    expect(data).toEqual({ person: { credit: { outcome: 'FOUND' }, identity: { outcome: 'FOUND' } } });
    const [credit = 0, identity = 0] = msByField(readUnits(extensions));
    expect(credit).toBeGreaterThan(2_990);
    expect(identity).toBeGreaterThan(290);
  });

  it.each([
    ',',
    'buscar-credito',
    'buscar-credito=10',
    'buscar-credito=61s',
    'buscar-credito=1.5s',
    '10s',
    'toString=1s',
  ])('of "%s" is refused with the names of the endpoints, and nothing is asked', async (delay) => {
    const refused = await padron.ask(query, {}, { 'x-sandbox': 'true', 'x-sandbox-delay': delay });
    expect([refused.status, refused.errors?.[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT']);
    expect(refused.errors?.[0].message).toMatch(
      /^The header `x-sandbox-delay` must be like `buscar-credito=10s, valida-curp=300ms`, .*\bobtener-cuenta\b/,
    );
    expect([padron.calls(), padron.spent(SANDBOX_TOKEN)]).toEqual([[], 0]);
  });

  it('may exceed the deadline of a call', async () => {
    const hurried = await runPadron({ environment: { REGISTRY_TIMEOUT_MS: '300' } });
    const delay = { 'x-sandbox': 'true', 'x-sandbox-delay': 'buscar-credito=1s' };
    const slow = `{ person(nss: "${uriel.nss}") { credit { outcome problems { code } } } }`;
    const { data } = await hurried.ask(slow, {}, delay).finally(() => hurried.stop());
    expect(data.person.credit).toEqual({ outcome: 'UNAVAILABLE', problems: [{ code: 'REGISTRY_TIMEOUT' }] });
  });

  it('never reaches a service that is asked for real data', async () => {
    const refused = await padron.ask(query, {}, { 'x-sandbox-delay': 'buscar-credito=1s' });
    expect([refused.status, refused.errors?.[0].message]).toEqual([
      400,
      'The header `x-sandbox-delay` needs the sandbox. Start padron without REGISTRY_URL, or send `x-sandbox: true` too.',
    ]);
    expect([padron.calls(), padron.spent(SANDBOX_TOKEN)]).toEqual([[], 0]);
  });
});

const CREDIT = '/api/infonavit/grupo/buscar-credito';
const sandbox = sandboxForTests();
const client = createSandboxClient(sandbox);

/** Returns the status of an answer, and the milliseconds that it took. */
async function ask(nss: string, delay: string): Promise<readonly [status: number, ms: number]> {
  const started = performance.now();
  const { status } = await client.query(CREDIT, { nss }, { 'x-sandbox-delay': delay });
  return [status, performance.now() - started];
}

describe('the header x-sandbox-delay of the sandbox', () => {
  it('delays good answers and those of test cards', async () => {
    const [status, ms] = await ask(uriel.nss, '300');
    expect([status, ms >= 295]).toEqual([200, true]);
    const [failure, failureMs] = await ask(getCard('unavailable', 'nss').value, '300');
    expect([failure, failureMs >= 295]).toEqual([503, true]);
  });

  it.each(['-1', '10s', '60001', ''])('of "%s" is refused, free', async (delay) => {
    const before = sandbox.spent(SANDBOX_TOKEN);
    const [status] = await ask(uriel.nss, delay);
    expect([status, sandbox.spent(SANDBOX_TOKEN) - before]).toEqual([400, 0]);
  });
});
