import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { renderProof } from '../../../src/extensions/proof/document';
import { sign, toKeySet } from '../../../src/extensions/proof/signature';
import { ed25519Key } from '../../support/keys/identity-provider';
import { padronCommand } from '../../support/processes/padron-command';
import { slowness } from '../../support/processor-time';
import { forgeries, otherSignatures, replaceSignedFacts, rewrite } from './forgeries';

const key = createPrivateKey(ed25519Key('first').pem);
const head = {
  document: '01JD0000000000000000000000',
  made: '2026-11-28T10:00:00.000-06:00',
  service: 'https://a.example',
};
const entry = { id: '01JD0000000000000000000001', nss: '04159600263', outcome: 'FOUND' };

describe('a document that is not as padron wrote it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'padron-forgeries-'));
  let proof: Buffer;
  const verify = async (document: string | Buffer) => {
    const [file, keyFile] = [join(folder, 'proof.pdf'), join(folder, 'jwks.json')];
    writeFileSync(file, document);
    const keys = await toKeySet([key]);
    writeFileSync(keyFile, JSON.stringify(keys));
    const { code, output, text } = await padronCommand(['verify', file, '--keys', keyFile]);
    return [code, (output + text).replaceAll(`${folder}/`, '')] as const;
  };
  const render = async (entries: readonly object[], v = 2) => {
    const { keys } = await toKeySet([key]);
    const facts = { v, lang: 'es', head, entries } as Parameters<typeof renderProof>[0];
    return renderProof(facts, (content) => sign(content, key, keys[0]?.kid ?? ''));
  };

  beforeAll(async () => {
    proof = await render([entry]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is valid, byte by byte, if padron wrote it and it was not changed', async () => {
    expect(await verify(proof)).toEqual([0, expect.stringContaining('proof.pdf is valid: every byte is as')]);
    expect((await verify(rewrite(proof, (objects) => objects))).slice(0, 1)).toEqual([0]);
  });

  it.each(forgeries)('is refused, although its facts are signed: %s', async (_name, forge) => {
    const forged = forge(proof);
    expect(forged.equals(proof)).toBe(false);
    expect(await verify(forged)).toEqual([
      1,
      expect.stringMatching(
        /^proof.pdf is not the file that padron made: .* saved it again. Ask for the file that padron returned, .*\.\n$/,
      ),
    ]);
  });

  it.each(otherSignatures)('is refused with another signature: %s', async (_name, message, forge) => {
    const forged = forge(proof, await render([{ ...entry, nss: '04159600264' }]));
    expect(await verify(forged)).toEqual([1, expect.stringContaining(message)]);
  });

  it('is refused if only its facts are signed, as in an earlier version of padron, and the facts are printed', async () => {
    const [code, text] = await verify(await render([entry], 1));
    expect([code, text]).toEqual([1, expect.stringMatching(/^proof.pdf is of an earlier version .* the page is not/)]);
    expect(text).toContain('\nNSS: 04159600263\nResultado: Encontrado\n');
  });

  it('is refused within a second of processor time, whatever it contains', async () => {
    const megabytes = (text: string, count = 10) => Buffer.alloc(count * 1_000_000, text);
    const page = (content: string) => {
      const packed = deflateSync(content);
      return Buffer.concat([Buffer.from('/FlateDecode\n>>\nstream\n'), packed, Buffer.from('\nendstream\n')]);
    };
    const hostile: readonly (Buffer | string)[] = [
      'eyJ'.repeat(120_000),
      ...['eyJ', 'eyJ.', '\0', ' ', '%PDF-1.3\n', 'stream\neyJ', 'startxref\n1\n%%EOF\n'].flatMap((text) => [
        megabytes(text),
        megabytes(text, 4),
      ]),
      // The facts are signed, so the pages are read to name what was changed.
      ...[page('0'.repeat(50_000_000)), page('<aa>'.repeat(499_000)), page('<aa>'.repeat(4_990)), page('')].map(
        (each) => Buffer.concat([proof, Buffer.alloc(4_000_000, each)]),
      ),
      Buffer.concat([proof, Buffer.alloc(4_000_000, '/FlateDecode\n>>\nstream\n')]),
    ];
    const limit = 1_000_000 * slowness();
    for (const document of hostile) {
      const before = process.cpuUsage();
      expect((await verify(document))[0]).toBeGreaterThan(0);
      const { user, system } = process.cpuUsage(before);
      expect(user + system).toBeLessThan(limit);
    }
  });

  it('is valid with the longest texts of 100 entries', async () => {
    const longest = { ...entry, name: 'Ñandú '.repeat(60), client: 'c'.repeat(64), actor: '\u{1f600}'.repeat(64) };
    const large = await render(Array(100).fill(longest));
    expect(large.length).toBeGreaterThan(100_000);
    expect((await verify(large))[0]).toBe(0);
    const withLast = (last: object) => [...Array(99).fill(longest), { ...longest, ...last }];
    const second = await render(withLast({ outcome: 'NOT_FOUND' }));
    const forged = replaceSignedFacts(second, large);
    expect(await verify(forged)).toEqual([1, expect.stringContaining('at “Resultado”: it shows “Noencontrado”, but')]);
  });
});
