import { extensions } from '../../../src/extensions';
import { migrationsOf, partsOf } from '../../../src/server/persistence';

/** The whole schema of a store, with the tables of every extension. */
export const storeMigrations = migrationsOf(partsOf(extensions));
