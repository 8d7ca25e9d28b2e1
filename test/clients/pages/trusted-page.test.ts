import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { priceOf } from '../../../schema/client/price-of';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { runPadron } from '../../support/padrons/padron';
import { blocksOfPage, FrontendFolder } from './frontend-folder';

const root = join(__dirname, '../../..');
const codegen = join(root, 'node_modules/@graphql-codegen/cli/esm/bin.js');
const operation = 'query Credit($nss: NSS!) { person(nss: $nss) { nss credit { outcome } } }';

describe('the documents of docs/trusted-documents.md', () => {
  let folder: FrontendFolder;
  beforeEach(() => {
    folder = new FrontendFolder();
  });
  afterEach(() => folder.remove());

  it('are published with `__typename` and with the query of priceOf', async () => {
    const [helper] = blocksOfPage('docs/trusted-documents.md', 'js').filter(({ code }) => code.includes('transform'));
    const [published] = blocksOfPage('docs/trusted-documents.md', 'yaml').filter(({ code }) =>
      code.includes('documents: ['),
    );
    const [yaml, transforms] = ['persistedDocuments', 'documentTransforms'].map((text) => {
      const [block] = blocksOfPage('docs/trusted-documents.md', 'yaml').filter(({ code }) => code.includes(text));
      return parse(block?.code ?? '').generates['src/generated/'];
    });
    const settings = parse(readFileSync(join(folder.path, 'node_modules/padron-client/schema/codegen.yml'), 'utf8'));
    const [output] = Object.values(settings.generates) as object[];
    folder.write('add-typename.cjs', helper?.code ?? '');
    folder.write('src/credit.graphql', operation);
    const generates = { 'src/generated/': { ...output, ...yaml, ...transforms } };
    const { documents } = parse(published?.code ?? '');
    folder.write('codegen.yml', stringify({ ...settings, documents, generates }));
    await promisify(execFile)(process.execPath, [codegen, '--config', 'codegen.yml'], { cwd: folder.path });

    const file = join(folder.path, 'src/generated/persisted-documents.json');
    const texts: readonly string[] = Object.values(JSON.parse(readFileSync(file, 'utf8')));
    expect(texts.map((text) => text.includes('__typename'))).toEqual([true, true]);
    const padron = await runPadron({ environment: { TRUSTED_DOCUMENTS: file } });
    try {
      const options = { url: padron.url, headers: { authorization: `Bearer ${SANDBOX_TOKEN}` } };
      const variables = { nss: '04159600263' };
      expect(await priceOf(operation, variables, options)).toMatchObject({ estimatedUnits: 1 });
      const untrusted = operation.replace('outcome', 'outcome record { hasCredit }');
      await expect(priceOf(untrusted, variables, options)).rejects.toThrow('`operation` is rejected');
      expect(padron.calls()).toEqual([]);
    } finally {
      await padron.stop();
    }
  });
});
