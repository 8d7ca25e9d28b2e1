import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../src/server/telemetry/logger';
import { lockFolder } from '../../src/store/embedded/folder-lock';
import { readConfig, startPadron } from '../support/padrons/whole-padron';

describe('a start that fails', () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'padron-start-'));
  const inFolder = (name: string): string => join(DATA_DIR, name);
  const server = createServer();
  let PORT = '0';
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    PORT = String((server.address() as { readonly port: number }).port);
  });
  afterAll(() => {
    server.close();
    rmSync(DATA_DIR, { recursive: true });
  });

  it.each([
    ['its keys cannot be read', () => mkdirSync(inFolder('keys')), 'DATA_DIR cannot be written (EISDIR).'],
    ['another program uses the port', () => undefined, 'EADDRINUSE'],
  ])('closes the store again if %s', async (_reason, obstruct, message) => {
    rmSync(inFolder('keys'), { recursive: true, force: true });
    obstruct();
    await expect(startPadron(readConfig({ PORT, DATA_DIR }), createLogger('silent'))).rejects.toThrow(message);
    const lock = await lockFolder(DATA_DIR);
    expect(lock).toHaveProperty('release');
    if ('release' in lock) await lock.release();
  });
});
