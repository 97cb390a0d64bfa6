import { useSend } from '../../frame/data.tsx';
import { useDraft } from '../../frame/drafts.ts';
import { useMembership } from '../../frame/session.tsx';
import { type CallOptions, client } from '../../service.ts';
import { Form, TextArea, type Values } from '../../ui/form.tsx';

/** Adds a text to the agent's knowledge, and creates a first agent if there is none. */
export function TeachAgent() {
  const { id: organizationId, name } = useMembership();
  const [text, setText] = useDraft('first-knowledge');
  const teaching = useSend(
    async (values: Values, { idempotencyKey }) => {
      const keyOf = (step: string) => ({ idempotencyKey: `${idempotencyKey}-${step}` });
      const { source } = await client.ai.createKnowledgeSource(
        { organizationId, type: 'TEXT', name: `About ${name}`, text: values.text },
        keyOf('source'),
      );
      const { aiAgents } = await client.ai.listAgents({ organizationId, limit: 1 });
      const [agent] = aiAgents;
      if (agent) {
        await client.ai.updateAgent({
          organizationId,
          agentId: agent.id,
          knowledgeSourceIds: [...(agent.knowledgeSourceIds ?? []), source.id],
        });

        return;
      }
      await client.ai.createAgent(
        {
          organizationId,
          name: 'Agent',
          promptTemplateId: await findOrCreateTemplate(organizationId, name, keyOf('template')),
          channels: ['COMMENT', 'DIRECT_MESSAGE'],
          knowledgeSourceIds: [source.id],
        },
        keyOf('agent'),
      );
    },
    { changes: ['agents'] },
  );

  return (
    <Form sending={teaching} action="Save" onDone={() => setText('')}>
      <TextArea
        name="text"
        label="What should the agent know?"
        rows={5}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        hint="What you sell, prices, opening hours, delivery. The agent answers from this text alone."
        required
      />
    </Form>
  );
}

async function findOrCreateTemplate(
  organizationId: string,
  companyName: string,
  options: CallOptions,
): Promise<string> {
  const { promptTemplates } = await client.ai.listPromptTemplates({ organizationId, limit: 1 });
  const [existing] = promptTemplates;
  if (existing) {
    return existing.id;
  }
  const { promptTemplate } = await client.ai.createPromptTemplate(
    {
      organizationId,
      name: 'Friendly answers',
      templateContent:
        'You answer customers of {{companyName}} in a {{tone}} tone, in one or two sentences. If you don’t know something, say that a colleague will answer.',
      businessInfo: { companyName },
      personalitySettings: { tone: 'friendly' },
    },
    options,
  );

  return promptTemplate.id;
}
