import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';

const root = join(__dirname, '../..');
const committed = join(root, 'schema/client/generated');
const cli = join(root, 'node_modules/@graphql-codegen/cli/esm/bin.js');

/** What codegen.yml says that these tests change: where the documents are and where the types go. */
interface Settings {
  readonly documents: string;
  readonly generates: Readonly<Record<string, unknown>>;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'padron-codegen-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs codegen.yml as it is, but into the folder; answers its exit code, since its last line claims success always. */
async function generate(documents?: string): Promise<number> {
  const settings = parse(readFileSync(join(root, 'codegen.yml'), 'utf8')) as Settings;
  const [output] = Object.values(settings.generates);
  const config = join(folder, 'codegen.yml');
  const generates = { [`${folder}/`]: output };
  writeFileSync(config, stringify({ ...settings, documents: documents ?? settings.documents, generates }));
  try {
    await promisify(execFile)(process.execPath, [cli, '--config', config], { cwd: root });
    return 0;
  } catch (error) {
    return Number(Object(error).code);
  }
}

describe('npm run codegen', () => {
  it('makes what is committed', async () => {
    expect(await generate()).toBe(0);
    expect(readdirSync(folder).filter((file) => file !== 'codegen.yml')).toEqual(readdirSync(committed));
    for (const file of readdirSync(committed)) {
      expect([file, readFileSync(join(folder, file), 'utf8')]).toEqual([
        file,
        readFileSync(join(committed, file), 'utf8'),
      ]);
    }
  });

  it('fails on an operation that does not fit the schema', async () => {
    writeFileSync(join(folder, 'bad.graphql'), 'query Bad { person { shoeSize } }');
    expect(await generate(join(folder, '*.graphql'))).toBe(1);
  });

  it('fails on two examples whose fragments share a name and differ', async () => {
    const example = join(root, 'schema/examples/person-profile.graphql');
    copyFileSync(example, join(folder, 'person-profile.graphql'));
    const secondOperation =
      'query Other { person { credit { ...Proof } } } fragment Proof on RegistryLookup { outcome }';
    writeFileSync(join(folder, 'other.graphql'), secondOperation);
    expect(await generate(join(folder, '*.graphql'))).toBe(1);
  });
});
