import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { platforms } from '#schemas/platforms.ts';
import { settingNames } from '#scripts/dev/stack/settings.ts';
import { projectPath } from '#scripts/project.ts';

/** The document describes the variables of the networks once for all networks. */
function isOfNetwork(name: string): boolean {
  return platforms.some((platform) => name.startsWith(`${platform}_`));
}

test('docs/configuration.md documents every variable of .env.example', () => {
  const documented = readFileSync(projectPath('docs/configuration.md'), 'utf8');
  const general = settingNames().filter(
    (name) => !isOfNetwork(name) || name === 'YOUTUBE_COMMENT_CALLS_PER_DAY',
  );

  expect(general.length).toBeGreaterThan(50);
  expect(general.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
});
