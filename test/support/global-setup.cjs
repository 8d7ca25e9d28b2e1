const { execFile } = require('node:child_process');
const { join } = require('node:path');
const { promisify } = require('node:util');

/** The template of the embedded store takes seconds to make: once for a checkout, before tests with their time limits need it. */
module.exports = async () => {
  await promisify(execFile)(process.execPath, [join(__dirname, '../../src/store/embedded/make-template.mjs')]);
};
