import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = '/work/shared/fixtures/cfdi';

/** Whether the CFDI that others publish are at hand; they are not part of the project. */
export const cfdiFixtures = existsSync(FOLDER);

export const cfdiFixture = (name: string): Buffer => readFileSync(join(FOLDER, name));
