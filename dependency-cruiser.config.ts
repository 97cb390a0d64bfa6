import type { IConfiguration } from 'dependency-cruiser';
import { vendors } from './scripts/build/check/vendors.ts';

/** Each vendor's client may only be imported in one folder. */
const vendorRules = vendors.map(({ package: name, adapter }) => ({
  name: `only ${adapter} imports ${name}`,
  severity: 'error' as const,
  from: { path: '^(functions|lib|schemas)/', pathNot: `^${adapter}` },
  to: { path: `^node_modules/${name}/` },
}));

const config: IConfiguration = {
  forbidden: [
    {
      name: 'functions do not import each other',
      severity: 'error',
      from: { path: '^functions/' },
      to: { path: '^functions/' },
    },
    {
      name: 'functions import only lib and schemas',
      severity: 'error',
      from: { path: '^functions/' },
      to: { pathNot: '^(lib|schemas|node_modules)/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'lib imports only lib and schemas',
      severity: 'error',
      from: { path: '^lib/' },
      // The version is in package.json.
      to: {
        pathNot: ['^(lib|schemas|node_modules)/', '^package.json$'],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'schemas import only zod and schemas',
      severity: 'error',
      from: { path: '^schemas/' },
      to: { pathNot: '^(schemas/|node_modules/zod/)' },
    },
    {
      name: 'lib/platform imports neither vendors nor features',
      severity: 'error',
      from: { path: '^lib/platform/' },
      to: { path: '^lib/(vendors|features)/' },
    },
    {
      name: 'lib/vendors imports no features',
      severity: 'error',
      from: { path: '^lib/vendors/' },
      to: { path: '^lib/features/' },
    },
    {
      name: 'no folders of lib import each other, directly or in a circle',
      scope: 'folder',
      severity: 'error',
      from: { path: '^lib/' },
      to: { circular: true },
    },
    {
      name: 'scripts do not import tests',
      severity: 'error',
      from: { path: '^scripts/' },
      to: { path: '^tests/' },
    },
    {
      name: 'no cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'deployed code does not import development dependencies',
      severity: 'error',
      from: { path: '^(functions|lib|schemas)/' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'every import resolves',
      severity: 'error',
      from: { path: '^(functions|lib|schemas|scripts)/' },
      to: { couldNotResolve: true },
    },
    ...vendorRules,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};

export default config;
