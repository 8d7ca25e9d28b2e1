import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config/config';
import { type Padron, startPadron } from '../../src/server/start';
import { createLogger } from '../../src/server/telemetry/logger';

const start = (environment: Readonly<Record<string, string>>): Promise<Padron> =>
  startPadron(readConfig({ PORT: '0', ...environment }), createLogger('silent'));

describe('a start that fails', () => {
  const folders: string[] = [];
  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'padron-start-'));
    folders.push(folder);
    return folder;
  };
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  it('closes the store if another program uses the port, so that the same folder can be opened again', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { readonly port: number };
    const DATA_DIR = newFolder();
    await expect(start({ DATA_DIR, PORT: String(port) })).rejects.toThrow('EADDRINUSE');
    server.close();
    const padron = await start({ DATA_DIR });
    await padron.stop();
  });

  it('closes the store if its keys cannot be read', async () => {
    const DATA_DIR = newFolder();
    mkdirSync(join(DATA_DIR, 'keys'));
    await expect(start({ DATA_DIR })).rejects.toThrow('DATA_DIR cannot be written (EISDIR).');
    rmSync(join(DATA_DIR, 'keys'), { recursive: true });
    const padron = await start({ DATA_DIR });
    await padron.stop();
  });

  it('closes the store if the journal cannot be created', async () => {
    const DATA_DIR = newFolder();
    writeFileSync(join(DATA_DIR, 'journal'), '');
    await expect(start({ DATA_DIR })).rejects.toThrow('DATA_DIR cannot be written (EEXIST).');
    rmSync(join(DATA_DIR, 'journal'));
    const padron = await start({ DATA_DIR });
    await padron.stop();
  });
});
