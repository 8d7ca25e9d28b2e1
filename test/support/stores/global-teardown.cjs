const clear = require('../global-teardown.cjs');
const postgres = require('./global-setup.cjs');

module.exports = async () => {
  await postgres.stop();
  clear();
};
