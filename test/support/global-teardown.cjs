const { rmSync } = require('node:fs');

module.exports = () => rmSync(process.env.PADRON_PREPARED, { recursive: true, force: true });
