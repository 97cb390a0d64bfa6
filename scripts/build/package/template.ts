import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  nestedTemplateName,
  type StackName,
  stackNames,
  wholeTemplateName,
} from './nest-stacks.ts';

export type Resource = {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly DependsOn?: string | readonly string[];
  readonly Properties?: Readonly<Record<string, unknown>>;
};

/** The part of a CloudFormation template that the checks use. */
export type Template = {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Conditions?: Readonly<Record<string, unknown>>;
  readonly Parameters?: Readonly<Record<string, unknown>>;
  readonly Outputs?: Readonly<Record<string, unknown>>;
};

export type CompiledTemplate = {
  readonly template: Template;
  readonly nested: Readonly<Record<StackName, Template>>;
  /** All resources in one template, before some are moved to nested stacks. */
  readonly whole: Template;
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
    throw new Error(`\`serverless package\` failed:\n${errors}${output}`);
  }
  const [template, whole, ...nested] = await Promise.all([
    readTemplate(serviceFolder, 'cloudformation-template-update-stack.json'),
    readTemplate(serviceFolder, wholeTemplateName),
    ...stackNames.map((stack) => readTemplate(serviceFolder, nestedTemplateName(stack))),
  ]);

  return {
    template,
    whole,
    nested: Object.fromEntries(
      stackNames.map((stack, index) => [stack, nested[index]]),
    ) as CompiledTemplate['nested'],
    // The framework writes the file with indentation, but uploads the template without it.
    sizeBytes: Buffer.byteLength(JSON.stringify(template)),
  };
}

async function readTemplate(serviceFolder: string, name: string): Promise<Template> {
  return JSON.parse(await readFile(join(serviceFolder, '.serverless', name), 'utf8')) as Template;
}
