import type { IConfiguration } from 'dependency-cruiser';
import { vendors } from './scripts/check/vendors.ts';

/**
 * The folders of lib/ that belong to one API area, plus automatic replies, which combine several.
 */
const areas =
  'auth|organizations|billing|health|leads|campaigns|content|bio|social|ai|replies|debug|docs';

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
      to: { pathNot: '^(lib|schemas|node_modules)/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'schemas import only zod and schemas',
      severity: 'error',
      from: { path: '^schemas/' },
      to: { pathNot: '^(schemas/|node_modules/zod/)' },
    },
    {
      name: 'shared folders do not import areas',
      severity: 'error',
      from: { path: '^lib/', pathNot: `^lib/(${areas})/` },
      to: { path: `^lib/(${areas})/` },
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
