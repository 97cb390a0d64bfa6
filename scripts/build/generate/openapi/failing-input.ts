import type * as z from 'zod';
import { describeIssues } from '#lib/platform/http/validation.ts';
import type { Contract } from '#schemas/contract.ts';
import { hearsOrganizationHeader } from './facts.ts';

/**
 * The service's real error messages for invalid input, taken from the first input that fails: path,
 * query or body. Returns undefined if no input can fail.
 */
export function messagesOfFailingInput(contract: Contract): readonly string[] | undefined {
  const schemas = [contract.body, contract.query, contract.params];
  for (const schema of schemas) {
    const messages = schema ? messagesOf(schema) : [];
    if (messages.length > 0) {
      return messages;
    }
  }

  return hearsOrganizationHeader(contract) ? ['X-Organization-Id must be a valid UUID'] : undefined;
}

/** Tries all fields missing, then all empty, then all lists, because no field is a list. */
function messagesOf(schema: z.ZodObject): readonly string[] {
  const names = Object.keys(schema.shape);
  const attempts = [undefined, '', [[]]].map((value) =>
    Object.fromEntries(names.map((name) => [name, value])),
  );
  for (const attempt of attempts) {
    const { error } = schema.safeParse(attempt, { reportInput: true });
    if (error) {
      return describeIssues(error.issues);
    }
  }

  return [];
}
