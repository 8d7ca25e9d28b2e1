import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { generateTypes } from '../../support/generate-types';
import { installPackages } from '../../support/packages';
import { readPage } from '../../support/pages';

const run = promisify(execFile);
const root = join(__dirname, '../../..');

/** A fenced block of a page. */
export interface PageBlock {
  readonly language: string;
  readonly code: string;
}

/** Returns the blocks of a page in some languages, in order. */
export function blocksOfPage(file: string, ...languages: readonly string[]): readonly PageBlock[] {
  return [...readPage(file).text.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)]
    .map(([, language = '', code = '']) => ({ language, code }))
    .filter(({ language }) => languages.includes(language));
}

const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: 'ES2022',
  module: 'ESNext',
  moduleResolution: 'bundler',
  lib: ['ES2022', 'DOM'],
  jsx: 'react-jsx',
};

/** The folder of a frontend: installed packages, the types of the examples in `generated/`, and files of the frontend itself. */
export class FrontendFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'padron-frontend-'));

  constructor() {
    installPackages(this.path);
    cpSync(join(root, 'schema/client/generated'), join(this.path, 'generated'), { recursive: true });
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.path, name)), { recursive: true });
    writeFileSync(join(this.path, name), text);
  }

  /** Generates the types of the operations in the folder, in place of those of the examples. Throws if there are none. */
  async generate(presetConfig?: object): Promise<void> {
    const generated = join(this.path, 'generated');
    rmSync(generated, { recursive: true });
    mkdirSync(generated);
    const code = await generateTypes(generated, {
      documents: join(this.path, '*.graphql'),
      ...(presetConfig === undefined ? {} : { presetConfig }),
    });
    if (code !== 0) throw new Error(`The command of codegen.yml ended with ${code}.`);
  }

  /** Compiles the files under `strict`. Returns what the compiler reports. */
  async compile(types: readonly string[], ...include: readonly string[]): Promise<string> {
    return this.compileWith({ ...compilerOptions, types }, ...include);
  }

  /** Compiles the files with these options. Returns what the compiler reports. */
  async compileWith(options: object, ...include: readonly string[]): Promise<string> {
    this.write('tsconfig.json', JSON.stringify({ compilerOptions: options, include }));
    const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['--project', this.path]).catch(
      (error: { readonly stdout: string }) => error,
    );
    return stdout;
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}
