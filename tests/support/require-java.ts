import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const advice =
  'install a runtime (for example `apt-get install openjdk-17-jre-headless` or https://adoptium.net) or set JAVA_HOME';

/**
 * Returns the Java command, or throws one line of advice if Java is missing or older than
 * `minimumVersion`.
 */
export async function requireJava(
  minimumVersion: number,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const command = environment.JAVA_HOME ? join(environment.JAVA_HOME, 'bin', 'java') : 'java';
  const need = `DynamoDB Local needs Java ${minimumVersion} or newer`;
  const printed = await printVersion(command, environment);
  if (printed === undefined) {
    throw new Error(`Java was not found (${command}). ${need}: ${advice}.`);
  }

  const version = parseJavaVersion(printed);
  if (version === undefined || version < minimumVersion) {
    throw new Error(`Java ${version ?? '(unknown version)'} is too old. ${need}: ${advice}.`);
  }

  return command;
}

/** Returns the version from the output of `java -version`: 8 for "1.8.0_301", 17 for "17.0.15". */
export function parseJavaVersion(printed: string): number | undefined {
  const match = /version "(?:1\.)?(\d+)/.exec(printed);

  return match?.[1] === undefined ? undefined : Number(match[1]);
}

async function printVersion(
  command: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  try {
    const { stderr, stdout } = await run(command, ['-version'], { env: environment });

    return `${stderr}${stdout}`;
  } catch {
    return undefined;
  }
}
