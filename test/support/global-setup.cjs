const { execFile } = require('node:child_process');
const { chmodSync, mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { promisify } = require('node:util');

/** The template of the embedded store takes seconds to make: once for a checkout, before tests with their time limits need it. */
module.exports = async () => {
  // Projects that also start PostgreSQL call it again.
  if (process.env.PADRON_PREPARED !== undefined) return;
  await promisify(execFile)(process.execPath, [join(__dirname, '../../src/store/embedded/make-template.mjs')]);
  // Workers copy a cluster and an embedded store that one of them has made: see stores/prepared.ts.
  process.env.PADRON_PREPARED = mkdtempSync(join(tmpdir(), 'padron-prepared-'));
  // PostgreSQL does not run as root, and its user must get through.
  chmodSync(process.env.PADRON_PREPARED, 0o711);
};
