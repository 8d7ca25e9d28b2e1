import { SANDBOX_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../src/extensions/sandbox/data/people';
import { startProcess } from '../support/processes/process';
import { send } from '../support/requests/http';
import { card } from '../support/sandbox/cards';

const [person] = people;
const SECRET = `about ${person?.curp}`;

/** A fault of the program, added from outside. It occurs on a signal, in the main thread. */
const planted = (fault: string): string => {
  const code = `import { isMainThread } from 'node:worker_threads'; if (isMainThread) process.on('SIGUSR2', () => { ${fault} });`;
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
};

describe('an uncaught error', () => {
  it.each([
    ['thrown', 'throw new TypeError(process.env.PLANTED)'],
    ['rejected', 'Promise.reject(new TypeError(process.env.PLANTED))'],
    ['rejected, no error', 'Promise.reject(process.env.PLANTED)'],
  ])('ends the process with 1, logs its stack without its message, and delivers paid answers: %s', async (_, fault) => {
    const { child, ended, output, address, says } = startProcess({
      PORT: '0',
      LOG_LEVEL: 'info',
      NODE_OPTIONS: planted(fault),
      PLANTED: SECRET,
    });
    const url = await address();
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}` };
    const body = JSON.stringify({ query: `{ person(nss: "${card('slow', 'nss')}") { credit { outcome } } }` });
    const slow = send(url, { method: 'POST', headers, body });
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill('SIGUSR2');
    await says('internal error: stopping');
    expect(JSON.parse((await slow).text).data).toEqual({ person: { credit: { outcome: 'FOUND' } } });
    expect(await ended()).toBe(1);
    expect(output()).not.toContain(person?.curp);
  });
});
