/** A file that follows from the registry. `path` is relative to the project's root. */
export type GeneratedFile = { readonly path: string; readonly content: string };

/** The first line of every generated file that can have a comment. */
export const generatedNotice =
  '# Made by `npm run generate` from the contracts in schemas/. Changes here are lost.\n';
