import { describe, expect, it } from 'vitest';
import { toolContractOf } from '#lib/features/mcp/tool-contract.ts';
import { toolResult } from '#lib/features/mcp/tool-result.ts';
import { listForms } from '#schemas/forms.ts';
import { getLead } from '#schemas/leads.ts';

const forms = Array.from({ length: 60 }, (_, index) => ({ id: `form ${index}` }));

function ask(given: Readonly<Record<string, unknown>>) {
  const body = JSON.stringify({ success: true, forms, total: forms.length });

  return toolResult(listForms, given, { statusCode: 200, body }).structuredContent;
}

describe('a list that the operation returns as a whole', () => {
  it.each([
    [undefined, 0, 25, '25'],
    ['25', 25, 50, '50'],
    ['50', 50, 60, null],
  ])('is cut to 25 entries: from %s', (cursor, start, end, nextCursor) => {
    expect(ask({ cursor })).toEqual({
      success: true,
      forms: forms.slice(start, end),
      total: 60,
      nextCursor,
    });
  });

  it.each(['-1', '0', '1.5', 'x', '1e3', '99999999'])('has no cursor such as %s', (cursor) => {
    const { query } = toolContractOf(listForms);

    expect(query?.safeParse({ cursor }).success).toBe(false);
  });
});

describe('an error', () => {
  it('names fields like the tool does, also in its issues', () => {
    const message = ['lead_id must be a valid UUID', 'X-Organization-Id must be a valid UUID'];
    const issue = { in: 'path', path: 'lead_id', rule: 'format', message: message[0] };
    const error = { code: 'VALIDATION_FAILED', message, issues: [issue], requestId: 'one' };
    const body = JSON.stringify(error);

    const { content } = toolResult(getLead, {}, { statusCode: 400, body });
    const [text] = content;

    expect(JSON.parse(text?.type === 'text' ? text.text : '')).toEqual({
      code: 'VALIDATION_FAILED',
      message: ['leadId must be a valid UUID', 'organizationId must be a valid UUID'],
      issues: [{ ...issue, path: 'leadId', message: 'leadId must be a valid UUID' }],
      requestId: 'one',
    });
  });
});
