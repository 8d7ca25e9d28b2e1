const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Runs each file of tests in the realm of its worker, so that libraries can be shared: see runtime.cjs. */
module.exports = class {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  console = console;
  exit = process.exit;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  /** Removes what the next file must not find: the classes of the graph, and the state of jest, which is under symbols in capitals. */
  async teardown() {
    this.fakeTimersModern.dispose();
    delete globalThis.TypeGraphQLMetadataStorage;
    for (const key of Object.getOwnPropertySymbols(globalThis))
      if (/^[A-Z_]+$/.test(key.description)) delete globalThis[key];
    globalThis.console = this.console;
    process.exit = this.exit;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Only ES modules would need it. */
  getVmContext() {
    return null;
  }
};
