const { isBuiltin } = require('node:module');
const { join } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const libraries = join(__dirname, '../../../node_modules/');

/** Loads libraries once for a worker, and the files of padron for each file of tests. Half of the CPU time of a test was loading libraries. */
module.exports = class extends Runtime {
  constructor(...options) {
    super(...options);
    const { executor } = this;
    executor.compile = (source, filename) => compileFunction(source, executor.injectedModuleParameters, { filename });
  }

  requireModuleOrMock(from, name) {
    if (name.startsWith('.') || isBuiltin(name)) return super.requireModuleOrMock(from, name);
    const path = this._resolution.resolveCjs(from, name);
    return path.startsWith(libraries) ? require(path) : super.requireModuleOrMock(from, name);
  }
};
