const { createHash } = require('node:crypto');
const { relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** Runs files in a random order, so that no file depends on another one. The seed of a run repeats its order: `npm test -- --seed=<seed>`. */
module.exports = class extends Sequencer {
  constructor(options) {
    super(options);
    this.seed = options.globalConfig.seed;
  }

  sort(tests) {
    const keyOf = ({ path, context }) =>
      createHash('sha1')
        .update(`${this.seed} ${relative(context.config.rootDir, path)}`)
        .digest('hex');
    const keys = new Map(tests.map((test) => [test, keyOf(test)]));
    return [...tests].sort((a, b) => (keys.get(a) < keys.get(b) ? -1 : 1));
  }
};
