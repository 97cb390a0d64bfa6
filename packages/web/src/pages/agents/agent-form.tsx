import { Link } from 'wouter-preact';
import { Loaded, useOrganization, useSend } from '../../frame/data.tsx';
import { useDraftOf } from '../../frame/drafts.ts';
import { useMembership } from '../../frame/session.tsx';
import { useTemplates } from '../../frame/shared-data.ts';
import {
  type AiAgent,
  type Channel,
  client,
  type KnowledgeSource,
  type PromptTemplate,
} from '../../service.ts';
import { Checkbox, Field, Form, Select, TextArea } from '../../ui/form.tsx';
import { channelNames } from '../../ui/networks.ts';
import { Empty } from '../../ui/states.tsx';
import { statusNames, useSources } from './agent.ts';

type Edited = {
  readonly name: string;
  readonly description: string;
  readonly promptTemplateId: string;
  readonly channels: readonly Channel[];
  readonly knowledgeSourceIds: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly status: AiAgent['status'];
  readonly autoResponse: boolean;
  readonly responseDelay: string;
  readonly maxResponsesPerConversation: string;
  readonly minConfidence: string;
  readonly businessHoursOnly: boolean;
  readonly start: string;
  readonly end: string;
};

const newAgent: Edited = {
  name: '',
  description: '',
  promptTemplateId: '',
  channels: ['COMMENT', 'DIRECT_MESSAGE'],
  knowledgeSourceIds: [],
  variables: {},
  status: 'ACTIVE',
  autoResponse: true,
  responseDelay: '0',
  maxResponsesPerConversation: '10',
  minConfidence: '',
  businessHoursOnly: false,
  start: '09:00',
  end: '17:00',
};

function editedOf(agent: AiAgent): Edited {
  const { businessHours, minConfidence } = agent;

  return {
    ...newAgent,
    ...agent,
    description: agent.description ?? '',
    knowledgeSourceIds: agent.knowledgeSourceIds ?? [],
    variables: agent.variables ?? {},
    responseDelay: String(agent.responseDelay),
    maxResponsesPerConversation: String(agent.maxResponsesPerConversation),
    minConfidence: minConfidence === null ? '' : String(Math.round(minConfidence * 100)),
    ...(businessHours && { start: businessHours.start, end: businessHours.end }),
  };
}

type FormProps = {
  /** Undefined for a new agent. */
  readonly agent?: AiAgent;
  readonly onDone?: (agentId: string) => void;
};

export function AgentForm(props: FormProps) {
  const templates = useTemplates();
  const sources = useSources();
  const organization = useOrganization();

  return (
    <Loaded of={templates}>
      {({ promptTemplates }) => (
        <Loaded of={sources}>
          {({ sources: all }) => (
            <Loaded of={organization}>
              {({ organization: { timezone } }) =>
                promptTemplates.length === 0 ? (
                  <Empty title="No template yet">
                    <p>
                      <Link href="/agents/templates/new">Write a template</Link> first: what the
                      agent should do, and how.
                    </p>
                  </Empty>
                ) : (
                  <Fields
                    {...props}
                    templates={promptTemplates}
                    sources={all}
                    timeZone={timezone}
                  />
                )
              }
            </Loaded>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

type Part = {
  readonly edited: Edited;
  readonly change: (changes: Partial<Edited>) => void;
};

function Fields({
  agent,
  onDone,
  templates,
  sources,
  timeZone,
}: FormProps & {
  readonly templates: readonly PromptTemplate[];
  readonly sources: readonly KnowledgeSource[];
  readonly timeZone: string;
}) {
  const { id: organizationId } = useMembership();
  const {
    value: edited,
    change,
    forget,
  } = useDraftOf(
    `agent:${agent?.id ?? 'new'}`,
    agent ? editedOf(agent) : { ...newAgent, promptTemplateId: templates[0]?.id ?? '' },
  );
  const saving = useSend(
    (_: unknown, options) => {
      const { status, start, end, minConfidence, ...given } = edited;
      const body = {
        organizationId,
        name: given.name,
        description: given.description.trim() || null,
        promptTemplateId: given.promptTemplateId,
        channels: given.channels,
        knowledgeSourceIds: given.knowledgeSourceIds,
        variables: withoutEmpty(given.variables),
        autoResponse: given.autoResponse,
        responseDelay: Number(given.responseDelay),
        maxResponsesPerConversation: Number(given.maxResponsesPerConversation),
        minConfidence: minConfidence === '' ? null : Number(minConfidence) / 100,
        businessHoursOnly: given.businessHoursOnly,
        ...(given.businessHoursOnly && {
          businessHours: {
            start,
            end,
            timezone: agent?.businessHours?.timezone ?? timeZone,
          },
        }),
      };

      return agent
        ? client.ai.updateAgent({ ...body, status, agentId: agent.id }, options)
        : client.ai.createAgent(body, options);
    },
    { changes: ['agents'] },
  );
  const templateNames = Object.fromEntries(templates.map(({ id, name }) => [id, name]));

  return (
    <Form
      sending={saving}
      action={agent ? 'Save' : 'Create agent'}
      done="Saved"
      onDone={({ aiAgent }) => {
        forget();
        onDone?.(aiAgent.id);
      }}
    >
      <Field
        name="name"
        label="Name"
        required
        value={edited.name}
        onInput={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      {agent && (
        <Select
          name="status"
          label="Status"
          options={statusNames}
          value={edited.status}
          onChange={({ currentTarget }) =>
            change({ status: currentTarget.value as Edited['status'] })
          }
        />
      )}
      <Select
        name="promptTemplateId"
        label="Template"
        options={{
          ...(edited.promptTemplateId in templateNames
            ? {}
            : { [edited.promptTemplateId]: 'The present template' }),
          ...templateNames,
        }}
        value={edited.promptTemplateId}
        onChange={({ currentTarget }) => change({ promptTemplateId: currentTarget.value })}
      />
      <Variables
        names={templates.find(({ id }) => id === edited.promptTemplateId)?.inputVariables ?? []}
        edited={edited}
        change={change}
      />
      <fieldset>
        <legend>Answers</legend>
        {(['COMMENT', 'DIRECT_MESSAGE', 'POST'] as const).map((channel) => (
          <Checkbox
            key={channel}
            name={`channel-${channel}`}
            label={`${channelNames[channel]}s`}
            checked={edited.channels.includes(channel)}
            onChange={({ currentTarget }) =>
              change({ channels: toggled(edited.channels, channel, currentTarget.checked) })
            }
          />
        ))}
      </fieldset>
      <fieldset>
        <legend>Knowledge</legend>
        {sources.length === 0 && (
          <p class="quiet">
            None yet. <Link href="/agents/knowledge">Add what the agent should know</Link>.
          </p>
        )}
        {sources.map(({ id, name }) => (
          <Checkbox
            key={id}
            name={`source-${id}`}
            label={name}
            checked={edited.knowledgeSourceIds.includes(id)}
            onChange={({ currentTarget }) =>
              change({
                knowledgeSourceIds: toggled(edited.knowledgeSourceIds, id, currentTarget.checked),
              })
            }
          />
        ))}
      </fieldset>
      <Rules edited={edited} change={change} />
      <TextArea
        name="description"
        label="Note for colleagues"
        rows={2}
        value={edited.description}
        onInput={({ currentTarget }) => change({ description: currentTarget.value })}
      />
    </Form>
  );
}

function withoutEmpty(values: Edited['variables']): Edited['variables'] {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
}

/** The values of the template's own placeholders. */
function Variables({ names, edited, change }: Part & { readonly names: readonly string[] }) {
  return (
    names.length > 0 && (
      <fieldset>
        <legend>Values for the template</legend>
        <div class="columns">
          {names.map((name) => (
            <Field
              key={name}
              name={`variables.${name}`}
              label={name}
              value={edited.variables[name] ?? ''}
              onInput={({ currentTarget }) =>
                change({ variables: { ...edited.variables, [name]: currentTarget.value } })
              }
            />
          ))}
        </div>
      </fieldset>
    )
  );
}

function toggled<Value>(values: readonly Value[], value: Value, isOn: boolean): readonly Value[] {
  return [...values.filter((other) => other !== value), ...(isOn ? [value] : [])];
}

function Rules({ edited, change }: Part) {
  return (
    <fieldset>
      <legend>Rules</legend>
      <Checkbox
        name="autoResponse"
        label="Answer without asking people"
        checked={edited.autoResponse}
        onChange={({ currentTarget }) => change({ autoResponse: currentTarget.checked })}
      />
      <div class="columns">
        <Field
          name="responseDelay"
          label="Wait before an answer"
          type="number"
          min={0}
          hint="Seconds"
          value={edited.responseDelay}
          onInput={({ currentTarget }) => change({ responseDelay: currentTarget.value })}
        />
        <Field
          name="maxResponsesPerConversation"
          label="Answers in a conversation"
          type="number"
          min={1}
          hint="Then people take over"
          value={edited.maxResponsesPerConversation}
          onInput={({ currentTarget }) =>
            change({ maxResponsesPerConversation: currentTarget.value })
          }
        />
        <Field
          name="minConfidence"
          label="Least confidence"
          type="number"
          min={0}
          max={100}
          hint="Percent. Below it, people take over"
          value={edited.minConfidence}
          onInput={({ currentTarget }) => change({ minConfidence: currentTarget.value })}
        />
      </div>
      <Checkbox
        name="businessHoursOnly"
        label="Only in business hours"
        checked={edited.businessHoursOnly}
        onChange={({ currentTarget }) => change({ businessHoursOnly: currentTarget.checked })}
      />
      {edited.businessHoursOnly && (
        <div class="columns">
          <Field
            name="businessHours.start"
            label="From"
            type="time"
            required
            value={edited.start}
            onInput={({ currentTarget }) => change({ start: currentTarget.value })}
          />
          <Field
            name="businessHours.end"
            label="Until"
            type="time"
            required
            value={edited.end}
            onInput={({ currentTarget }) => change({ end: currentTarget.value })}
          />
        </div>
      )}
    </fieldset>
  );
}
