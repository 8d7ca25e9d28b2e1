// @ts-check
// Makes the template of new databases: `node make-template.mjs [folder]`. Does nothing if the template exists.
import { makeTemplate } from './database.mjs';

await makeTemplate(process.argv[2]);
