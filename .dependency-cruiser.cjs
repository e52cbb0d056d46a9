// The arrows of docs/architecture.md. Each rule says which folder may not know which.
const only = (from, allowed) => ({
  name: `${from}-imports-${allowed.length > 0 ? `only-${allowed.join('-')}` : 'no-other-folder'}`,
  severity: 'error',
  from: { path: `^${from}/` },
  to: {
    path: '^(contract|lambdas|lib|bin|demo|local|client|console|test)/',
    pathNot: `^(${[from, ...allowed].join('|')})/`,
  },
});

module.exports = {
  forbidden: [
    only('contract', []),
    only('lambdas', ['contract']),
    only('lib', ['contract']),
    only('local', []),
    only('client', []),
    only('console', ['client', 'contract']),
    {
      name: 'contract-knows-zod-only',
      severity: 'error',
      from: { path: '^contract/' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'], pathNot: 'node_modules/zod/' },
    },
    {
      name: 'nothing-outside-imports-tests',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { path: '^test/' },
    },
    {
      name: 'the-aws-sdk-stays-in-adapters',
      severity: 'error',
      from: {
        path: '^lambdas/',
        pathNot:
          '(^lambdas/platform/clients/|-(store|queue|model|probe|directory|box)\\.ts$|/(directory|authorizer)\\.ts$)',
      },
      to: { path: 'node_modules/@aws-sdk/', dependencyTypesNot: ['type-only'] },
    },
    {
      // All schemas of the interface together take longer to make than everything else a function does to start.
      name: 'functions-know-their-own-operations',
      severity: 'error',
      from: { path: '^lambdas/.*handlers\\.ts$', pathNot: '^lambdas/platform/handlers\\.ts$' },
      to: { path: '^contract/routes\\.ts$' },
    },
    {
      name: 'rules-do-not-import-handlers',
      severity: 'error',
      from: { path: '^lambdas/' },
      to: { path: '^lambdas/.*handlers\\.ts$' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    // The swc parser reads no JSX; test/unit/console/imports.test.ts checks the console for layers and cycles.
    exclude: { path: '^(node_modules|dist|cdk\\.out)|\\.tsx$' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.json', '.d.ts', '.css', '.svg'],
    },
  },
};
