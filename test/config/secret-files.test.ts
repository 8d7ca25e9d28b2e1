import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secretNames } from '../../src/config/settings';
import { extensions } from '../../src/extensions';
import { faultsOf, LONG_SECRET } from '../support/padrons/settings';
import { misspeltSettings, readConfig } from '../support/padrons/whole-padron';

describe('a secret in a file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'padron-secrets-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  let number = 0;
  const fileOf = (content: string | Buffer): string => {
    number += 1;
    const path = join(folder, String(number));
    writeFileSync(path, content);
    return path;
  };

  it('is read for each setting that has a secret, without the line break at its end', () => {
    const url = 'https://registry.example';
    const config = readConfig({
      REGISTRY_URL: url,
      REGISTRY_TOKEN_FILE: fileOf('token\n'),
      JWT_SECRET_FILE: fileOf(`${LONG_SECRET}\r\n`),
      HTTPS_PROXY_FILE: fileOf('http://user:password@proxy.example:3128\n'),
      SUBGRAPH_SECRET_FILE: fileOf('secret of the router'),
      DATABASE_URL_FILE: fileOf('postgres://padron:password@localhost/padron\n'),
      DATA_KEYS_FILE: fileOf(` ${LONG_SECRET},\n${LONG_SECRET}2\n`),
    });
    expect(config).toMatchObject({ registryToken: 'token', subgraphSecret: 'secret of the router' });
    expect(config.jwt?.secret).toBe(LONG_SECRET);
    expect(config.proxies.https?.password).toBe('password');
    expect(config.data).toMatchObject({
      store: { kind: 'postgres', url: 'postgres://padron:password@localhost/padron' },
      keys: [LONG_SECRET, `${LONG_SECRET}2`],
    });
    expect(secretNames(extensions)).toEqual([
      ...['REGISTRY_TOKEN', 'JWT_SECRET', 'HTTPS_PROXY', 'HTTP_PROXY', 'SUBGRAPH_SECRET', 'DATABASE_URL', 'DATA_KEYS'],
      ...['WEBHOOK_URL', 'WEBHOOK_SECRET', 'PROOF_KEY'],
    ]);
  });

  it('may be behind a link, as Kubernetes mounts it', () => {
    const link = join(folder, 'link');
    symlinkSync(fileOf('linked'), link);
    expect(readConfig({ REGISTRY_TOKEN_FILE: link }).registryToken).toBe('linked');
  });

  it('is refused with every mistake at once, and no error quotes it', () => {
    const [both = '', empty = '', damaged = '', large = ''] = [
      'the secret',
      ' \n',
      Buffer.from([0xff, 0xfe]),
      'x'.repeat(70_000),
    ].map(fileOf);
    const directory = join(folder, 'folder');
    mkdirSync(directory);
    const faults = faultsOf({
      REGISTRY_TOKEN: 'the token',
      REGISTRY_TOKEN_FILE: both,
      JWT_SECRET_FILE: empty,
      SUBGRAPH_SECRET_FILE: damaged,
      DATABASE_URL_FILE: large,
      DATA_KEYS_FILE: directory,
      WEBHOOK_SECRET_FILE: join(folder, 'missing'),
      PORT: 'x',
    });
    expect(faults).toEqual([
      'REGISTRY_TOKEN_FILE and REGISTRY_TOKEN are both set. Remove one of them.',
      'JWT_SECRET_FILE is an empty file. Write the secret into it, or remove the setting.',
      'SUBGRAPH_SECRET_FILE is not text in UTF-8. Write the secret as text.',
      'DATABASE_URL_FILE is larger than 65536 bytes. Set it to a file that has only the secret.',
      'DATA_KEYS_FILE is not a file. Set it to the path of a file with the secret.',
      'WEBHOOK_SECRET_FILE cannot be read (ENOENT). Set it to a file that padron may read.',
      'PORT must be a whole number from 0 to 65535.',
    ]);
  });

  it('follows the rules of its setting', () => {
    expect(faultsOf({ JWT_SECRET_FILE: fileOf('short'), REGISTRY_TOKEN: 't' })).toEqual([
      'JWT_SECRET must have at least 32 characters.',
    ]);
  });

  it('has its name suggested', () => {
    expect(misspeltSettings({ DATA_KEY_FILE: 'x' })).toEqual([{ name: 'DATA_KEY_FILE', nearest: 'DATA_KEYS_FILE' }]);
  });
});
