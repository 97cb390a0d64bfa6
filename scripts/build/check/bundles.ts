import type { Bundle } from '#scripts/build/package/build.ts';
import { type Vendor, vendors } from './vendors.ts';

/**
 * The largest bundle, sign-up, contains Stripe's client, bcrypt and the list of common passwords.
 */
export const maxBundleBytes = 700_000;

/** A background worker, for whose cold starts nobody waits, and the tools of AI agents. */
const largerBundles: Readonly<Record<string, number>> = {
  // Contains every tool, and loads the called one.
  'mcp/call-mcp': 1_100_000,
  // Reads PDF files.
  'workers/knowledge-reading': 2_500_000,
};

/**
 * Finds bundles that are too large or contain a vendor's client that their function does not use.
 */
export function checkBundles(bundles: readonly Bundle[]): string[] {
  return bundles.flatMap((bundle) => [...tooLarge(bundle), ...unexpectedVendors(bundle)]);
}

function tooLarge(bundle: Bundle): string[] {
  const { sizeBytes } = bundle;
  const limit = largerBundles[nameOf(bundle)] ?? maxBundleBytes;

  return sizeBytes > limit
    ? [`${nameOf(bundle)} has ${sizeBytes} bytes. The limit is ${limit}`]
    : [];
}

function unexpectedVendors(bundle: Bundle): string[] {
  const sources = Object.keys(bundle.inputs);

  return vendors
    .filter(({ package: name }) =>
      sources.some((source) => source.includes(`node_modules/${name}/`)),
    )
    .filter((vendor) => !isExpected(vendor, bundle))
    .map(({ package: name }) => `${nameOf(bundle)} bundles ${name}, which it does not use`);
}

function isExpected({ users }: Vendor, bundle: Bundle): boolean {
  const folder = `${bundle.function.folder}/`;

  return !users || users.some((user) => user === folder || user === nameOf(bundle));
}

function nameOf({ function: { folder, name } }: Bundle): string {
  return `${folder}/${name}`;
}
