import { readStaticFile, type StaticFile } from '#lib/platform/http/static-file.ts';
import { type DocsAssetName, docsAssets } from '#schemas/docs.ts';

const read = new Map<DocsAssetName, StaticFile>();

/** Returns a file of the page. Each file is read once. */
export function docsFile(name: DocsAssetName): StaticFile {
  const file = read.get(name) ?? readStaticFile(docsAssets[name]);
  read.set(name, file);

  return file;
}

/** Allowlist: no other file is served, whatever the path. */
export function isDocsAsset(name: string): name is DocsAssetName {
  return Object.hasOwn(docsAssets, name);
}
