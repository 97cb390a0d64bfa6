import { expect, it } from 'vitest';
import { autoRefillSetup } from './setup.ts';

it('getAutoRefillSettings returns the settings that were saved last', async () => {
  const world = await autoRefillSetup();
  expect(await world.settings()).toMatchObject({ enabled: false });
  await world.updateAutoRefillSettings({ threshold: 200, amount: 25 });

  expect(await world.settings()).toMatchObject({ enabled: true, threshold: 200, amount: 25 });
});
