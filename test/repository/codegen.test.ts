import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { generateTypes } from '../support/generate-types';

const root = join(__dirname, '../..');
const committed = join(root, 'schema/client/generated');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'padron-codegen-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('npm run codegen', () => {
  it('makes what is committed', async () => {
    expect(await generateTypes(folder)).toBe(0);
    expect(readdirSync(folder).filter((file) => file !== 'codegen.yml')).toEqual(readdirSync(committed));
    for (const file of readdirSync(committed)) {
      expect([file, readFileSync(join(folder, file), 'utf8')]).toEqual([
        file,
        readFileSync(join(committed, file), 'utf8'),
      ]);
    }
  });

  it('makes fields with @semanticNonNull non-nullable with the option in the comment, for clients that throw on errors', async () => {
    const settings = readFileSync(join(root, 'codegen.yml'), 'utf8');
    const withOption = settings
      .replace('# nullability:', 'nullability:')
      .replace('#   errorHandlingClient', '  errorHandlingClient');
    const [output] = Object.values(parse(withOption).generates) as { config: object }[];
    expect(output?.config).toMatchObject({ nullability: { errorHandlingClient: true } });
    expect(await generateTypes(folder, { config: output?.config ?? {} })).toBe(0);
    const typeIn = (path: string) =>
      /export type PersonCreditQuery = .*/.exec(readFileSync(join(path, 'graphql.ts'), 'utf8'))?.[0] ?? '';
    // Only `record` is null without an error.
    expect(typeIn(committed)).toMatch(/hasCredit.* \} \| null \} \| null \} \| null \};$/);
    expect(typeIn(folder)).toMatch(/hasCredit.* \} \| null \} \} \};$/);
  });

  it('fails on an operation that does not fit the schema', async () => {
    writeFileSync(join(folder, 'bad.graphql'), 'query Bad { person { shoeSize } }');
    expect(await generateTypes(folder, { documents: join(folder, '*.graphql') })).toBe(1);
  });

  it('fails on two examples whose fragments share a name and differ', async () => {
    const example = join(root, 'schema/examples/person-profile.graphql');
    copyFileSync(example, join(folder, 'person-profile.graphql'));
    const secondOperation =
      'query Other { person { credit { ...Proof } } } fragment Proof on RegistryLookup { outcome }';
    writeFileSync(join(folder, 'other.graphql'), secondOperation);
    expect(await generateTypes(folder, { documents: join(folder, '*.graphql') })).toBe(1);
  });
});
