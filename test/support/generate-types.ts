import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';

const root = join(__dirname, '../..');
const cli = join(root, 'node_modules/@graphql-codegen/cli/esm/bin.js');

interface CodegenSettings {
  readonly documents: string | readonly string[];
  readonly generates: Readonly<Record<string, { readonly presetConfig: object; readonly config: object }>>;
}

export interface CodegenChanges {
  readonly documents?: string | readonly string[];
  readonly presetConfig?: object;
  readonly config?: object;
}

/**
 * Runs codegen.yml with a reader's changes, into a folder. Returns the exit code of the command, because its last line
 * claims success in any case.
 */
export async function generateTypes(folder: string, changes: CodegenChanges = {}): Promise<number> {
  const settings = parse(readFileSync(join(root, 'codegen.yml'), 'utf8')) as CodegenSettings;
  const [output] = Object.values(settings.generates);
  const { documents = settings.documents, presetConfig = output?.presetConfig, config = output?.config } = changes;
  const file = join(folder, 'codegen.yml');
  const generates = { [`${folder}/`]: { ...output, presetConfig, config } };
  writeFileSync(file, stringify({ ...settings, documents, generates }));
  try {
    await promisify(execFile)(process.execPath, [cli, '--config', file], { cwd: root });
    return 0;
  } catch (error) {
    return Number(Object(error).code);
  }
}
