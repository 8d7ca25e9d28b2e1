/** swc because it is fast and follows the rule of explicit type thunks: no decorator metadata anywhere. */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testTimeout: 20_000,
  // Most of a test is waiting for sockets: both cores may wait.
  maxWorkers: '100%',
  globalSetup: '<rootDir>/test/support/global-setup.cjs',
  // What is loaded only when it is wanted is imported by its built name.
  moduleNameMapper: {
    '^(\\.{1,2}/(?:sandbox/.+|explorer/routes|registry/redis/start-redis|postgres-engine|embedded/embedded-engine))\\.js$':
      '$1',
  },
  // These have no form that jest can require.
  transformIgnorePatterns: ['/node_modules/(?!(jose|content-disposition)/)'],
  transform: {
    '(\\.ts|/(jose|content-disposition)/.+\\.js)$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: false },
          target: 'es2023',
        },
        module: { type: 'commonjs' },
      },
    ],
  },
};
