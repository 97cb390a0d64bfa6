import { expect, it } from 'vitest';
import { version } from '#lib/features/health/version.ts';
import project from '../../../../package.json' with { type: 'json' };

it("tells the application's own version", () => {
  expect(version).toBe(project.version);
});
