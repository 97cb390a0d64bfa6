/** A file generated from the registry. `path` is relative to the project's root. */
export type GeneratedFile = { readonly path: string; readonly content: string };

/** The first line of every generated file whose format supports comments. */
export const generatedNotice =
  '# Generated from the contracts in schemas/, and written by `npm start`, `npm run package` and\n# `npm run generate`. Do not edit.\n';
