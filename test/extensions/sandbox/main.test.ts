import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';

const MAIN = join(__dirname, '../../../src/extensions/sandbox/main.ts');

interface Run {
  readonly child: ChildProcess;
  /** Waits until the output contains the text or the process has ended. */
  says(text: string): Promise<string>;
}

function run(environment: Readonly<Record<string, string>>): Run {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN], { env: { ...process.env, ...environment } });
  let output = '';
  const grew = (bytes: Buffer): void => {
    output += bytes.toString();
  };
  child.stdout.on('data', grew);
  child.stderr.on('data', grew);
  return {
    child,
    async says(text) {
      while (!output.includes(text) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));
      return output;
    },
  };
}

describe('npm run sandbox', () => {
  it('prints its address, a token and a command that works, and stops on SIGTERM', async () => {
    const { child, says } = run({ PORT: '0' });
    const greeting = await says("Bearer sandbox-token'");
    const address = /curl -X POST '(http[^']+)'/.exec(greeting)?.[1] ?? '';
    const response = await fetch(address, { method: 'POST', headers: { authorization: 'Bearer sandbox-token' } });
    expect([response.status, await response.json()]).toMatchObject([200, { success: true }]);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('reports that the port is in use', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const { port } = occupant.address() as { readonly port: number };
    const { child, says } = run({ PORT: String(port) });
    const [code] = await once(child, 'exit');
    occupant.close();
    expect(code).toBe(1);
    expect(await says('taken')).toBe(
      `Port ${port} of 127.0.0.1 is in use. Stop the program that uses it, or set PORT to another port.\n`,
    );
  });

  it('rejects a port that is not a number', async () => {
    const { child, says } = run({ PORT: 'web' });
    const [code] = await once(child, 'exit');
    expect([code, await says('PORT')]).toEqual([1, 'PORT must be a number from 0 to 65535, not web.\n']);
  });
});
