/**
 * Returns one line with the missing environment variables of a stage. The framework only reports
 * the parameters that use them, after everything was built.
 *
 * @param definition the text of serverless.yml.
 */
export function missingVariables(
  definition: string,
  stage: string,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const values = { ...paramsOf(definition, 'default'), ...paramsOf(definition, stage) };
  const missing = Object.values(values)
    .flatMap((value) => /^\$\{env:(\w+)\}$/.exec(value)?.[1] ?? [])
    .filter((name) => environment[name] === undefined);

  return missing.length > 0
    ? `The stage ${stage} needs ${missing.join(', ')}: set the missing variables in the shell. ` +
        'See "Deploying to AWS" in README.md.'
    : undefined;
}

/** Returns the parameters of a stage, from its block in `params`. */
function paramsOf(definition: string, stage: string): Readonly<Record<string, string>> {
  const [, params = ''] = /^params:\n((?: .*\n|\n)*)/m.exec(definition) ?? [];
  const [, block = ''] = new RegExp(`^  ${stage}:\\n((?:    .*\\n|\\n)*)`, 'm').exec(params) ?? [];

  return Object.fromEntries(
    [...block.matchAll(/^ {4}(\w+): (.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
}
