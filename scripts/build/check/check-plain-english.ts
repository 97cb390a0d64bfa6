import { globSync, readFileSync } from 'node:fs';
import { projectPath } from '#scripts/project.ts';

/** Phrases that a native speaker would rephrase, and what to write instead. */
const banned: ReadonlyArray<readonly [RegExp, string]> = [
  [/\banew\b/i, 'again'],
  [/\bfor good\b/i, 'permanently'],
  [/\bwork(?:s|ed|ing) off\b/i, 'process'],
  [/\bwhoever\b/i, 'the caller, the worker, anybody who'],
  [/\bmeanwhile\b/i, 'concurrently, in the meantime'],
  [/\b(?:is|are|was|were|be|been) told\b/i, 'is notified, is reported'],
  [/\bso (?:many|long|much|few)\b(?! (?:as|that))/i, 'the limit, the timeout'],
  [/\b(?:is|are) to be\b/i, 'must be, will be'],
  [/\bto be had\b/i, 'available'],
  [/\b(?:lies|stands) (?:in|beside|under|there)\b(?! for)/i, 'is stored in, is'],
  [/\bbeside\b/i, 'next to, in addition to, with'],
];

const sources = '{functions,lib,schemas,scripts,tests}/**/*.ts';
const documents = '{*.md,docs/**/*.md,.github/**/*.md}';
/** This file and its test contain the phrases. */
const exempt = /check-plain-english(?:\.test)?\.ts$/;

/** Comments and test titles. */
const comment = /^\s*(?:\/\*\*?|\*(?!\/)|\/\/)(.*)/;
const title = /\b(?:it|test|describe)(?:\.\w+)*\(\s*(['"`].*)/;

/** Finds banned phrases in comments, test titles and documents. */
export function checkPlainEnglish(): string[] {
  const read = (path: string) => readFileSync(projectPath(path), 'utf8');
  const inSources = globSync(sources, { cwd: projectPath() })
    .filter((path) => !exempt.test(path))
    .flatMap((path) => bannedPhrases(path, read(path), textOfSource));
  const inDocuments = globSync(documents, { cwd: projectPath() }).flatMap((path) =>
    bannedPhrases(path, read(path), (line) => line),
  );

  return [...inSources, ...inDocuments];
}

function textOfSource(line: string): string {
  return comment.exec(line)?.[1] ?? title.exec(line)?.[1] ?? '';
}

/** Exported for its own test. */
export function bannedPhrases(
  path: string,
  content: string,
  textOf: (line: string) => string = textOfSource,
): string[] {
  return content.split('\n').flatMap((line, index) =>
    banned.flatMap(([phrase, instead]) => {
      const found = phrase.exec(textOf(line))?.[0];

      return found ? [`${path}:${index + 1} says "${found}". Write: ${instead}`] : [];
    }),
  );
}
