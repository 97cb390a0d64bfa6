import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** The folders with the vendors' resource classes. */
const resources = /(?:(?:stripe[/\\]esm|openai)[/\\]resources|openai[/\\]lib)[/\\].*\.m?js$/;

/**
 * Resources that this service does not use: Stripe's card issuing and terminals, everything except
 * chat in OpenAI's client, and streaming and tool calls of chat.
 */
const unused = [
  /stripe[/\\]esm[/\\]resources[/\\](?:Climate|Issuing|Terminal|TestHelpers|Treasury)[/\\]/,
  /openai[/\\]resources[/\\](?!chat[/\\.]|index\.|shared\.)/,
  /openai[/\\]lib[/\\]ChatCompletion(?:Stream|Runner|StreamingRunner)\./,
];

/**
 * Modules that no code path of the service needs:
 * - JSON Schema generation, because the OpenAPI document is deployed as a file
 * - event streams of AWS, which no call returns, its adaptive retries, which nobody turns on, its
 *   hashes for engines without `node:crypto`, and the region of an EC2 instance
 * - signatures with elliptic curves, because access tokens have one algorithm, HS256
 * - the cache of AWS for discovered endpoints, which are off by default
 * - OpenAI's sign-in with a workload's identity, uploads and streaming
 */
const unusedModules =
  /(?:zod[/\\]v4[/\\]core[/\\](?:to-json-schema|json-schema-processors)|@smithy[/\\]core[/\\].*[/\\](?:event-streams[/\\](?:eventstream-(?:codec|serde|serde-universal)[/\\].*|EventStreamSerde)|sha256[/\\]Sha256Js|md5[/\\]Md5Js|DefaultRateLimiter|getInstanceMetadataRegion)|ecdsa-sig-formatter[/\\].*|@aws-sdk[/\\]endpoint-cache[/\\].*[/\\]EndpointCache|openai[/\\].*[/\\](?:(?:x509-)?workload-identity-auth|internal[/\\](?:uploads|to-file)|core[/\\]streaming))\.m?js$/;

/**
 * The schemas of AWS clients register all errors of the service. An unregistered error has the same
 * name, but the class of all of the client's errors.
 */
const registries = /@aws-sdk[/\\]client-(?:dynamodb|secrets-manager|sqs)[/\\].*[/\\]schemas_0\.js$/;
/** The errors that `lib` recognizes by class, and those that the client itself retries. */
export const registeredErrors: ReadonlySet<string | undefined> = new Set([
  'ConditionalCheckFailedException',
  'ReplicatedWriteConflictException',
  'TransactionCanceledException',
  'TransactionConflictException',
  'TransactionInProgressException',
]);

/** Clients read only their own version from it. */
const manifests = /@aws-sdk[/\\]client-[\w-]+[/\\]package\.json$/;

/**
 * Removes unused parts of packages from bundles. Vendors' clients create an object for each
 * resource, so they can't be tree-shaken. This replaces these resources with classes without
 * methods, functions of unused modules with functions that return undefined, and their other values
 * with undefined.
 */
export const unusedResources: Plugin = {
  name: 'unused-resources',
  setup: ({ onLoad }) => {
    onLoad({ filter: resources }, async ({ path }) => {
      if (!unused.some((pattern) => pattern.test(path))) {
        return undefined;
      }

      return { contents: withoutContents(await readFile(path, 'utf8')) };
    });
    onLoad({ filter: unusedModules }, async ({ path }) => ({
      contents: withoutContents(await readFile(path, 'utf8')),
    }));
    onLoad({ filter: registries }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(
        /^n0_registry\.registerError\(\w+\$, (\w+)\);$/gm,
        (registration, name) => (registeredErrors.has(name) ? registration : ''),
      ),
    }));
    onLoad({ filter: manifests }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8'));

      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

/** Exports the same names as the module, without its code. */
function withoutContents(source: string): string {
  const namesOf = (pattern: RegExp) => [...source.matchAll(pattern)].map(([, names = '']) => names);
  const classes = namesOf(/^export class (\w+)/gm);
  const functions = [
    ...namesOf(/^export (?:async )?function\*? ?(\w+)/gm),
    ...namesOf(/^export const (\w+) = (?:async )?(?:\(|\w+ =>)/gm),
  ];
  const values = [
    ...namesOf(/^export const (\w+) = (?!(?:async )?(?:\(|\w+ =>))/gm),
    ...namesOf(/^export \{([^}]*)\}/gm).flatMap((list) => list.match(/\w+(?=\s*(?:,|$))/g) ?? []),
  ];

  return [
    'export {};',
    ...classes.map((name) => `export class ${name} {}`),
    ...functions.map((name) => `export function ${name}() {}`),
    ...values.map((name) => `export const ${name} = undefined;`),
  ].join('\n');
}
