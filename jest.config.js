// Jest runs native ES modules (NODE_OPTIONS=--experimental-vm-modules, set by the npm scripts).
export default {
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript' },
          target: 'es2022',
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/cdk.out/', '<rootDir>/.data/'],
  setupFiles: ['<rootDir>/test/support/native-arrays.js'],
  globalSetup: '<rootDir>/test/support/build-once.ts',
  testSequencer: '<rootDir>/test/support/longest-first.js',
  reporters: ['default', 'summary', '<rootDir>/test/support/plain-summary-reporter.js'],
  // A bound against hanging, not a measure: tests run beside each other on machines of any speed.
  testTimeout: 180_000,
  maxWorkers: 3,
};
