import { inThread } from '#lib/platform/work/in-thread.ts';

export class RefusedError extends Error {}

const shared = {
  file: import.meta.filename,
  timeoutMs: 60_000,
  memoryMb: 100,
  rejection: RefusedError,
};

export const double = inThread({ ...shared, name: 'double', run: (value: number) => value * 2 });

export const sumOfAnswers = inThread({
  ...shared,
  name: 'sumOfAnswers',
  run: async (questions: readonly string[], ask: (question: string) => Promise<number>) => {
    let sum = 0;
    for (const question of questions) {
      sum += await ask(question);
    }

    return sum;
  },
});

export const fail = inThread({
  ...shared,
  name: 'fail',
  run: (isRefused: boolean) => {
    throw isRefused ? new RefusedError('Not for us') : new TypeError('A mistake');
  },
});

const endless = {
  loop: () => {
    for (;;) {
      Math.random();
    }
  },
  search: () => /^(a+)+$/.test(`${'a'.repeat(100)}b`),
} as const;

export const takeLong = inThread({
  ...shared,
  timeoutMs: 200,
  name: 'takeLong',
  run: (kind: keyof typeof endless) => endless[kind](),
});

const growing = {
  objects: () => {
    const objects: object[] = [];
    for (;;) {
      objects.push({ objects });
    }
  },
  buffers: () => {
    const buffers: Uint8Array[] = [];
    for (;;) {
      buffers.push(new Uint8Array(1_000_000).fill(1));
    }
  },
} as const;

export const growLarge = inThread({
  ...shared,
  memoryMb: 50,
  name: 'growLarge',
  run: (kind: keyof typeof growing) => growing[kind](),
});
