import { readStaticFile, type StaticFile } from '#lib/platform/http/static-file.ts';
import { type DocsAssetName, docsAssets } from '#schemas/docs.ts';

const read = new Map<DocsAssetName, StaticFile>();

/** Returns a static file of the page. Each file is read once. */
export function docsFile(name: DocsAssetName): StaticFile {
  const file = read.get(name) ?? readStaticFile(docsAssets[name]);
  read.set(name, file);

  return file;
}

/** Allows only the listed files, so that a path cannot expose any other. */
export function isDocsAsset(name: string): name is DocsAssetName {
  return Object.hasOwn(docsAssets, name);
}
