// @ts-check
// Unpacks the template of new databases: `node unpack-template.mjs folder`. Tells the code of what went wrong.
import { unpackTemplate } from './database.mjs';

const [folder = ''] = process.argv.slice(2);
await unpackTemplate(folder).catch((/** @type {{ readonly code?: unknown }} */ { code }) => {
  process.stderr.write(String(code ?? ''));
  process.exitCode = 1;
});
