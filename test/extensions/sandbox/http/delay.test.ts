import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { getCard } from '../../../../src/extensions/sandbox/test-cards/cards';
import { uriel } from '../../../support/operations/mixed-people';
import { createSandboxClient } from '../../../support/sandbox/sandbox-client';
import { sandboxForTests } from '../../../support/sandbox/sandbox-for-tests';

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
