import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtCommand } from '../../support/processes/padron-command';
import { postalCode } from './definitions';

/** Text of a definition in JavaScript, with its name, field and address. */
const definition = (name: string): string => {
  const type = name.charAt(0).toUpperCase() + name.slice(1);
  const record = { ...postalCode.record, type, fields: { name: postalCode.record.fields.name } };
  const own = { name: `find${type}`, field: `Query.${name}`, address: `POST /${name}`, record, input: {} };
  return JSON.stringify({ ...postalCode, ...own });
};

describe('EXTENSIONS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'padron-files-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const write = (file: string, text: string): string => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
    return join(folder, file);
  };
  async function routesOf(...files: readonly string[]) {
    const { code, output, text } = await builtCommand(['prices'], { EXTENSIONS: files.join(' , ') });
    const routes = code === 0 ? Object.keys(JSON.parse(output).endpoints) : [];
    return { routes: routes.filter((name) => /^find[A-F]$/.test(name)), text };
  }

  it('takes each export of ES modules and of CommonJS', async () => {
    const modules = write('many.mjs', `export const a = ${definition('a')};\nexport default [${definition('b')}];\n`);
    const named = write('named.cjs', `exports.c = ${definition('c')};\n`);
    const whole = write('whole.cjs', `module.exports = ${definition('d')};\n`);
    const compiled = `Object.defineProperty(exports, '__esModule', { value: true });\nexports.e = ${definition('e')};\n`;
    const found = await routesOf(modules, named, whole, write('compiled.cjs', compiled), modules);
    expect(found).toEqual({ routes: ['findA', 'findB', 'findC', 'findD', 'findE'], text: '' });
  });

  it('says which file cannot be loaded, and why', async () => {
    const thrown = write('thrown.mjs', "throw 'a text';\n");
    const empty = write('empty.mjs', '');
    const without = write('other.mjs', "export const VERSION = '1';\n");
    const { text } = await routesOf(thrown, empty, without, './missing.mjs', 'no-such-package');
    expect(text).toContain(`${thrown}: it cannot be loaded: a text. Check the path and the file.`);
    expect(text).toContain(`${empty}: it exports nothing. Export the definition of an endpoint.`);
    expect(text).toContain(`${without} (VERSION): must be an object that describes an endpoint.`);
    expect(text).toMatch(
      /\.\/missing\.mjs: it cannot be loaded: Cannot find module '[^']+missing\.mjs'\. Check the path/,
    );
    expect(text).toContain(
      "no-such-package: it cannot be loaded: Cannot find package 'no-such-package'. Install the package",
    );
  });
});
