import { areas } from '#schemas/contract.ts';
import { guides } from '#schemas/docs.ts';
import { areaDescriptions, summary } from './openapi/introduction.ts';

/** An introduction for AI agents: https://llmstxt.org */
export function generateLlmsTxt(): string {
  return `# Social Leads

> ${summary}

When a customer comments or sends a message on a social network, a campaign matches the keyword, an AI agent replies on the network, and a lead appears in the sales pipeline. Everything is an HTTP API with JSON. Programs send an API key as \`Authorization: Bearer <key>\`; it acts in one organization.

## Reference

- [OpenAPI document](/openapi.json): every operation with its input, responses and errors
- [API documentation](/docs): the same as a page

## Resources

${areas.map((area) => `- \`${area}\`: ${areaDescriptions[area]}`).join('\n')}

## Guides

${Object.entries(guides)
  .map(([file, about]) => `- [${file.replace('.md', '')}](/docs/${file}): ${about}`)
  .join('\n')}
`;
}
