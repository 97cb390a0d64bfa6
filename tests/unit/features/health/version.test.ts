import { expect, it } from 'vitest';
import { version } from '#lib/features/health/version.ts';
import project from '../../../../package.json' with { type: 'json' };

it('version is the version in package.json', () => {
  expect(version).toBe(project.version);
});
