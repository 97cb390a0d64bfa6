import type { Bundle } from '#scripts/build/package/build.ts';
import { type Vendor, vendors } from './vendors.ts';

/** The largest, sign-up, has Stripe's client, bcrypt and the list of common passwords. */
export const maxBundleBytes = 750_000;

/**
 * Finds bundles that are too large or contain a vendor's client that their function does not use.
 */
export function checkBundles(bundles: readonly Bundle[]): string[] {
  return bundles.flatMap((bundle) => [...tooLarge(bundle), ...unexpectedVendors(bundle)]);
}

function tooLarge(bundle: Bundle): string[] {
  const { sizeBytes } = bundle;

  return sizeBytes > maxBundleBytes
    ? [`${nameOf(bundle)} has ${sizeBytes} bytes. The limit is ${maxBundleBytes}`]
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
