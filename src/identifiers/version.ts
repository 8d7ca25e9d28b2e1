import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const packageFile = join(__dirname, '../../package.json');
export const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { readonly version: string };
