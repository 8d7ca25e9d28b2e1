// @ts-check
// Unpacks the template of new databases: `node unpack-template.mjs folder`. Writes the error code to stderr if it fails.
import { unpackTemplate } from './database.mjs';

const [folder = ''] = process.argv.slice(2);
await unpackTemplate(folder).catch((/** @type {{ readonly code?: unknown }} */ { code }) => {
  process.stderr.write(String(code ?? ''));
  process.exitCode = 1;
});
