import { describe, expect, test } from 'vitest';
import { config } from '#lib/platform/config.ts';
import { shutdownDateOf, traitsOf } from '#lib/vendors/openai/models.ts';

describe('traitsOf', () => {
  test.each([
    ['gpt-6-luna', false, 'none', 0],
    ['gpt-5.4-mini', false, 'none', 0],
    ['gpt-5.6-luna', false, 'none', 0],
    ['gpt-10', false, 'none', 0],
    ['gpt-5-mini', false, 'minimal', 4_000],
    ['gpt-5', false, 'minimal', 4_000],
    ['o4-mini', false, 'low', 4_000],
    ['gpt-5-chat-latest', false, undefined, 0],
    ['gpt-4.1-mini', true, undefined, 0],
    ['gpt-4o', true, undefined, 0],
    ['llama3.2', true, undefined, 0],
  ] as const)('fit %s', (model, acceptsTemperature, reasoningEffort, reasoningTokens) => {
    expect(traitsOf(model)).toEqual({
      acceptsTemperature,
      reasoningTokens,
      ...(reasoningEffort ? { reasoningEffort } : {}),
    });
  });
});

describe('shutdownDateOf', () => {
  test('knows the models that OpenAI shuts down, and their snapshots', () => {
    expect(shutdownDateOf('gpt-4.1-mini')).toBe('2027-01-14');
    expect(shutdownDateOf('gpt-4.1-mini-2025-04-14')).toBe('2027-01-14');
    expect(shutdownDateOf('constructor')).toBeUndefined();
  });

  test('has no date for the default model', () => {
    expect(shutdownDateOf(config.ai.model)).toBeUndefined();
  });
});
