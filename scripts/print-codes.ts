/** Prints what is known of each code into docs/errors.md and the client kit: npm run print:codes */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorsPage, kitTexts } from './code-pages';

const reference = join(__dirname, '../docs/errors.md');
writeFileSync(reference, errorsPage(readFileSync(reference, 'utf8')));
writeFileSync(join(__dirname, '../schema/client/code-texts.ts'), kitTexts());
