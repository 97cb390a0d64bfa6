import { readStaticFile, type StaticFile } from '#lib/platform/http/static-file.ts';
import { type DocsAssetName, docsAssets } from '#schemas/docs.ts';

const read = new Map<DocsAssetName, StaticFile>();

/** A file of the page; each is read once. */
export function docsFile(name: DocsAssetName): StaticFile {
  const file = read.get(name) ?? readStaticFile(docsAssets[name]);
  read.set(name, file);

  return file;
}

/** Nothing else is given out, whatever a path says. */
export function isDocsAsset(name: string): name is DocsAssetName {
  return Object.hasOwn(docsAssets, name);
}
