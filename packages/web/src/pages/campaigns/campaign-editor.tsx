import { Plus, X } from 'lucide-preact';
import { useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Loaded, useSend } from '../../frame/data.tsx';
import { useDraftOf } from '../../frame/drafts.ts';
import { useMembership } from '../../frame/session.tsx';
import { pipelineNames, useAccounts, usePipelines, useTemplates } from '../../frame/shared-data.ts';
import {
  type CallOptions,
  type Campaign,
  type Channel,
  client,
  type ListSocialAccountsResponse,
} from '../../service.ts';
import { AccountChoices } from '../../ui/account-choices.tsx';
import { Checkbox, Field, Form, Select, TextArea } from '../../ui/form.tsx';
import { matchNames } from './campaign.ts';
import { Conflicts } from './conflicts.tsx';
import {
  agentConfigsOf,
  answerable,
  type Edited,
  editedOf,
  keywordsOf,
  newCampaign,
  platformOf,
} from './editor.ts';
import { TryMessage } from './try-message.tsx';

type Editing = {
  /** Undefined for a new campaign. */
  readonly campaign?: Campaign;
  readonly onDone: (campaignId: string) => void;
};

type Accounts = ListSocialAccountsResponse['socialAccounts'];

export function CampaignEditor({ campaign, onDone }: Editing) {
  const accounts = useAccounts();
  const pipelines = usePipelines();
  const templates = useTemplates();

  return (
    <Loaded of={accounts}>
      {({ socialAccounts }) => (
        <Loaded of={pipelines}>
          {({ pipelines: all }) => (
            <Loaded of={templates}>
              {({ promptTemplates }) => (
                <Fields
                  campaign={campaign}
                  onDone={onDone}
                  accounts={socialAccounts}
                  pipelines={pipelineNames(all)}
                  templates={Object.fromEntries(promptTemplates.map(({ id, name }) => [id, name]))}
                />
              )}
            </Loaded>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

type Named = Readonly<Record<string, string>>;

type Known = {
  readonly campaign: Campaign | undefined;
  readonly onDone: (campaignId: string) => void;
  readonly accounts: Accounts;
  readonly pipelines: Named;
  readonly templates: Named;
};

function Fields({ campaign, onDone, accounts, pipelines, templates }: Known) {
  const { id: organizationId } = useMembership();
  const stored = campaign
    ? editedOf(campaign)
    : {
        ...newCampaign,
        pipelineId: Object.keys(pipelines)[0] ?? '',
        templateId: Object.keys(templates)[0] ?? '',
        socialAccountIds: accounts.length === 1 ? accounts.map(({ id }) => id) : [],
      };
  const { value: edited, change, forget } = useDraftOf(`campaign:${campaign?.id ?? 'new'}`, stored);
  const templateOf = useTemplate();
  const saving = useSend(
    async (_: unknown, options) => {
      const given = { ...edited, templateId: await templateOf(edited, options) };
      const body = {
        organizationId,
        name: given.name,
        pipelineId: given.pipelineId,
        platform: platformOf(given, accounts),
        socialAccountIds: given.socialAccountIds,
        keywords: keywordsOf(given),
        agentConfigs: agentConfigsOf(given, campaign?.agentConfigs),
      };

      return campaign
        ? client.campaigns.update({ ...body, campaignId: campaign.id }, options)
        : client.campaigns.create(
            { ...body, status: edited.status === 'DRAFT' ? 'DRAFT' : 'ACTIVE' },
            options,
          );
    },
    { changes: ['campaigns', 'agents'] },
  );

  return (
    <div class="editor">
      <Form
        sending={saving}
        action={campaign ? 'Save' : 'Create campaign'}
        aside={<Link href={campaign ? `/campaigns/${campaign.id}` : '/campaigns'}>Cancel</Link>}
        onDone={({ campaign: saved }) => {
          forget();
          onDone(saved.id);
        }}
      >
        <Field
          name="name"
          label="Name"
          required
          value={edited.name}
          onInput={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <Keywords edited={edited} change={change} campaignId={campaign?.id} />
        <AccountChoices
          accounts={accounts}
          chosen={edited.socialAccountIds}
          onChange={(socialAccountIds) => change({ socialAccountIds })}
        />
        <Select
          name="pipelineId"
          label="Pipeline"
          hint="Where the leads of this campaign appear."
          options={pipelines}
          value={edited.pipelineId}
          onChange={({ currentTarget }) => change({ pipelineId: currentTarget.value })}
        />
        <Answers edited={edited} change={change} templates={templates} />
        {!campaign && (
          <Checkbox
            name="isActive"
            label="Start right away"
            checked={edited.status === 'ACTIVE'}
            onChange={({ currentTarget }) =>
              change({ status: currentTarget.checked ? 'ACTIVE' : 'DRAFT' })
            }
          />
        )}
      </Form>
      <TryMessage
        campaign={{
          ...edited,
          id: campaign?.id,
          keywords: keywordsOf(edited),
          agentConfigs: edited.channels.map((channel) => ({
            autoResponse: true,
            ...campaign?.agentConfigs.find((config) => config.channel === channel),
            channel,
            promptTemplateId: edited.templateId,
          })),
        }}
      />
    </div>
  );
}

/**
 * Creates a template from new instructions. If saving the campaign then fails, a retry uses the
 * same template.
 */
function useTemplate() {
  const { id: organizationId, name: companyName } = useMembership();
  const created = useRef<{ readonly text: string; readonly id: string }>();

  return async (edited: Edited, { signal }: CallOptions): Promise<string> => {
    const { templateId, channels, instructions: text, name } = edited;
    if (templateId !== '' || channels.length === 0) {
      return templateId;
    }
    if (created.current?.text !== text) {
      const { promptTemplate } = await client.ai.createPromptTemplate(
        {
          organizationId,
          name: `${name} ${new Date().toISOString().slice(0, 19).replace('T', ' ')}`.trim(),
          templateContent: text,
          businessInfo: { companyName },
        },
        signal ? { signal } : {},
      );
      created.current = { text, id: promptTemplate.id };
    }

    return created.current.id;
  };
}

type Part = {
  readonly edited: Edited;
  readonly change: (changes: Partial<Edited>) => void;
};

function Keywords({
  edited,
  change,
  campaignId,
}: Part & { readonly campaignId: string | undefined }) {
  const { keywords } = edited;
  const set = (index: number, changed: Partial<Edited['keywords'][number]>) =>
    change({ keywords: keywords.map((one, at) => (at === index ? { ...one, ...changed } : one)) });

  return (
    <fieldset>
      <legend class="hidden">Keywords</legend>
      {keywords.map(({ keyword, matchType }, index) => {
        const ordinal = index === 0 ? '' : ` ${index + 1}`;

        return (
          <div key={index} class="keyword">
            <Field
              name={`keywords.${index}.keyword`}
              label={`Keyword${ordinal}`}
              value={keyword}
              onInput={({ currentTarget }) => set(index, { keyword: currentTarget.value })}
            />
            <Select
              name={`keywords.${index}.matchType`}
              label={`Match${ordinal}`}
              options={matchNames}
              value={matchType}
              onChange={({ currentTarget }) =>
                set(index, { matchType: currentTarget.value as keyof typeof matchNames })
              }
            />
            {keywords.length > 1 && (
              <button
                type="button"
                class="icon-button"
                aria-label={`Remove “${keyword}”`}
                onClick={() => change({ keywords: keywords.filter((_, at) => at !== index) })}
              >
                <X aria-hidden="true" />
              </button>
            )}
          </div>
        );
      })}
      <Conflicts edited={edited} campaignId={campaignId} />
      <button
        type="button"
        class="button small-button"
        onClick={() => change({ keywords: [...keywords, { keyword: '', matchType: 'CONTAINS' }] })}
      >
        <Plus aria-hidden="true" />
        Add another
      </button>
    </fieldset>
  );
}

function Answers({ edited, change, templates }: Part & { readonly templates: Named }) {
  const { channels, templateId, instructions } = edited;

  return (
    <fieldset>
      <legend>The AI answers</legend>
      {Object.entries(answerable).map(([channel, label]) => (
        <Checkbox
          key={channel}
          name={`channel-${channel}`}
          label={label}
          checked={channels.includes(channel as Channel)}
          onChange={({ currentTarget }) =>
            change({
              channels: [
                ...channels.filter((other) => other !== channel),
                ...(currentTarget.checked ? [channel as Channel] : []),
              ],
            })
          }
        />
      ))}
      {channels.length > 0 && Object.keys(templates).length > 0 && (
        <Select
          name="templateId"
          label="Template"
          options={{
            ...(templateId === '' ? {} : { [templateId]: 'The present template' }),
            ...templates,
            '': 'Write new instructions',
          }}
          value={templateId}
          onChange={({ currentTarget }) => change({ templateId: currentTarget.value })}
        />
      )}
      {channels.length > 0 && templateId === '' && (
        <TextArea
          name="templateContent"
          label="Instructions"
          rows={6}
          required
          value={instructions}
          onInput={({ currentTarget }) => change({ instructions: currentTarget.value })}
        />
      )}
    </fieldset>
  );
}
