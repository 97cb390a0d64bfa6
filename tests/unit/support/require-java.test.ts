import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseJavaVersion, requireJava } from '#tests/support/require-java.ts';

describe('requireJava and parseJavaVersion', () => {
  let home: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'java-home-'));
  });
  afterEach(async () => {
    await rm(home, { recursive: true });
  });

  async function installCommand(script: string): Promise<string> {
    await mkdir(join(home, 'bin'));
    const command = join(home, 'bin', 'java');
    await writeFile(command, `#!/bin/sh\n${script}\n`);
    await chmod(command, 0o755);

    return command;
  }

  async function installJava(version: string): Promise<void> {
    await installCommand(`echo 'openjdk version "${version}" 2025-04-15' >&2`);
  }

  test('uses a recent enough Java from JAVA_HOME', async () => {
    await installJava('21.0.2');

    expect(await requireJava(17, { JAVA_HOME: home })).toBe(join(home, 'bin', 'java'));
  });

  test('rejects an outdated Java with a one-line hint', async () => {
    await installJava('11.0.20');

    await expect(requireJava(17, { JAVA_HOME: home })).rejects.toThrow(
      /^Java 11 is too old\. DynamoDB Local needs Java 17 or newer: install .* or set JAVA_HOME\.$/,
    );
  });

  test('rejects a missing Java with a one-line hint', async () => {
    await expect(requireJava(17, { PATH: home })).rejects.toThrow(
      /^Java was not found \(java\)\. DynamoDB Local needs Java 17 or newer: install .*\.$/,
    );
  });

  test.each([
    ['java version "1.8.0_301"', 8],
    ['openjdk version "11.0.20" 2023-07-18', 11],
    ['openjdk version "17.0.15" 2025-04-15', 17],
    ['openjdk version "25" 2025-09-16', 25],
    ['no such thing', undefined],
  ])('parses %s as release %s', (printed, release) => {
    expect(parseJavaVersion(printed)).toBe(release);
  });
});
