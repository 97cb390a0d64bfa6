#!/usr/bin/env node
import * as z from 'zod';
import { startSandbox } from './sandbox.ts';

const settings = z
  .object({
    SANDBOX_PORT: z.coerce.number().int().min(0).max(65_535).default(4000),
    /** A JSON object with the initial secrets by name. */
    SANDBOX_SECRETS: z
      .string()
      .default('{}')
      .transform((text, context) => {
        try {
          return z.record(z.string(), z.string()).parse(JSON.parse(text));
        } catch {
          context.addIssue('must be a JSON object with string values');

          return z.NEVER;
        }
      }),
  })
  .safeParse(process.env);

if (settings.success) {
  await run(settings.data.SANDBOX_PORT, settings.data.SANDBOX_SECRETS);
} else {
  fail(
    settings.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'),
  );
}

async function run(port: number, secrets: Readonly<Record<string, string>>): Promise<void> {
  try {
    const sandbox = await startSandbox({ port, secrets });
    console.log(`Sandbox: ${sandbox.url}/_sandbox`);

    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => void sandbox.close());
    }
  } catch (error) {
    fail(
      error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
        ? `Port ${port} is in use. Set SANDBOX_PORT to a free port.`
        : `The sandbox failed to start: ${String(error)}`,
    );
  }
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
