// The arrows of docs/architecture.md. Each rule says which folder may not know which.

// dependency-cruiser's swc options lack JSX.
const swc = require('@swc/core');
const { parseFileSync } = swc;
swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('.tsx') });

const only = (from, allowed) => ({
  name: `${from}-imports-${allowed.length > 0 ? `only-${allowed.join('-')}` : 'no-other-folder'}`,
  severity: 'error',
  from: { path: `^${from}/` },
  to: {
    path: '^(contract|lambdas|lib|bin|demo|tools|local|model|client|mcp|cli|console|test)/',
    pathNot: `^(${[from, ...allowed].join('|')})/`,
  },
});

/** The rooms of the console, from the floor to the roof. Each knows only those below it. */
const consoleRooms = ['base', 'ui', 'records', 'resources', 'features', 'app'];

const consoleFloors = consoleRooms.slice(0, -1).map((room, place) => ({
  name: `console-${room}-imports-nothing-above`,
  severity: 'error',
  from: { path: `^console/${room}/` },
  to: { path: `^console/(${consoleRooms.slice(place + 1).join('|')})/` },
}));

module.exports = {
  forbidden: [
    {
      name: 'no-circles-between-capabilities',
      severity: 'error',
      scope: 'folder',
      from: { path: '^lambdas/[^/]+$' },
      to: { circular: true },
    },
    only('contract', []),
    only('lambdas', ['contract', 'mcp']),
    only('lib', ['contract']),
    only('local', []),
    only('model', ['contract', 'local']),
    only('demo', ['contract', 'lambdas', 'local']),
    only('client', []),
    only('mcp', ['client']),
    only('cli', ['client', 'mcp']),
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
          '(^lambdas/platform/clients/|^lambdas/records/(items|read-items|write-items|batch-calls)\\.ts$|-(store|queue|model|probe|directory|box|machine|shapes)\\.ts$|/(directory|authorizer)\\.ts$)',
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
    ...consoleFloors,
    {
      name: 'no-circles-of-console-folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^console/' },
      to: { circular: true },
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
    exclude: { path: '^(dist|(client|cli)/dist|cdk\\.out|tools/document)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.json', '.d.ts', '.css', '.svg'],
    },
  },
};
