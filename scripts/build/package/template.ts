import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { alarmsTemplateName } from './nest-alarms.ts';

export type Resource = {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
};

/** The part of a CloudFormation template that the checks use. */
export type Template = {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Conditions?: Readonly<Record<string, unknown>>;
  readonly Parameters?: Readonly<Record<string, unknown>>;
};

export type CompiledTemplate = {
  readonly template: Template;
  /** The nested stack with the alarms. */
  readonly alarms: Template;
  readonly sizeBytes: number;
};

/**
 * Runs `serverless package` and returns the template that a deployment passes to CloudFormation.
 * Needs neither credentials nor network access.
 */
export async function compileTemplate(
  serviceFolder: string,
  options: readonly string[] = [],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<CompiledTemplate> {
  const serverless = createRequire(import.meta.url).resolve('serverless/bin/serverless.js');
  const child = spawn(process.execPath, [serverless, 'package', ...options], {
    cwd: serviceFolder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (exitCode !== 0) {
    throw new Error(
      (await missingVariables(serviceFolder, output)) ??
        `\`serverless package\` failed:\n${errors}${output}`,
    );
  }
  const [template, alarms] = await Promise.all([
    readTemplate(serviceFolder, 'cloudformation-template-update-stack.json'),
    readTemplate(serviceFolder, alarmsTemplateName),
  ]);

  // The framework writes the file with indentation, but uploads the template without.
  return { template, alarms, sizeBytes: Buffer.byteLength(JSON.stringify(template)) };
}

async function readTemplate(serviceFolder: string, name: string): Promise<Template> {
  return JSON.parse(await readFile(join(serviceFolder, '.serverless', name), 'utf8')) as Template;
}

/**
 * Returns one line that names the missing environment variables. The framework only names the
 * parameters they fill.
 */
async function missingVariables(
  serviceFolder: string,
  output: string,
): Promise<string | undefined> {
  const definition = await readFile(join(serviceFolder, 'serverless.yml'), 'utf8');
  const unfilled = output.matchAll(/"params\.(\w+)\.(\w+)": Value not found at "env"/g);
  const missing = [...unfilled].map(([, stage = '', param = '']) => ({
    stage,
    variable: new RegExp(`^ +${param}: \\$\\{env:(\\w+)\\}`, 'm').exec(definition)?.[1] ?? param,
  }));
  const [first] = missing;

  return first
    ? `The stage ${first.stage} needs ${missing.map(({ variable }) => variable).join(', ')}: ` +
        'set the missing variables in the shell. See "Deploying to AWS" in README.md.'
    : undefined;
}
