import { existsSync } from 'node:fs';
import { readStaticFile, type StaticFile } from '#lib/platform/http/static-file.ts';
import { projectFileUrl } from '#lib/platform/project-file.ts';
import { appFolder } from '#schemas/app.ts';

/** File names from the build, so that a path cannot expose any other file. */
const hashedName = /^[a-z0-9-]+-[A-Z0-9]{8}\.(?:js|css|svg)$/;
const read = new Map<string, StaticFile>();

/** Returns an asset by its name, which changes with its content. Each file is read once. */
export function findAppAsset(name: string): StaticFile | undefined {
  const path = `${appFolder}/${name}`;
  const known = read.get(name);
  if (known || !hashedName.test(name) || !existsSync(projectFileUrl(path))) {
    return known;
  }
  const file = readStaticFile(path);
  read.set(name, file);

  return file;
}
