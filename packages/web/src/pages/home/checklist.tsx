import type { UseQueryResult } from '@tanstack/preact-query';
import { CircleCheck, CircleDashed } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Loaded, useGet } from '../../frame/data.tsx';
import { useLiveEvents } from '../../frame/live.tsx';
import { useCan } from '../../frame/session.tsx';
import { useAccounts } from '../../frame/shared-data.ts';
import { client, type ListCampaignsResponse } from '../../service.ts';
import { TeachAgent } from './teach-agent.tsx';

/** The steps up to the first lead. The page hides them when that lead arrives. */
export function Checklist() {
  const can = useCan();
  const accounts = useAccounts();
  const knowledge = useGet(['agents', 'knowledge'], (organizationId, options) =>
    client.ai.listKnowledgeSources({ organizationId }, options),
  );
  const campaigns = useGet(['campaigns', 'latest'], (organizationId, options) =>
    client.campaigns.list({ organizationId, limit: 1 }, options),
  );
  const all: readonly UseQueryResult<unknown>[] = [accounts, knowledge, campaigns];
  const slowest = all.find(({ data }) => data === undefined) ?? accounts;
  const hasAccount = Boolean(accounts.data?.socialAccounts.length);
  const campaign = campaigns.data?.campaigns[0];
  const isMember = can('MEMBER');

  return (
    <>
      <p>Four steps to your first lead.</p>
      <Loaded of={slowest}>
        {() => (
          <ol class="checklist">
            <Step title="Connect an account" isDone={hasAccount}>
              <p>The agent answers comments and messages of your accounts.</p>
              {isMember && (
                <Link class={buttonOf(true)} href="/social/accounts">
                  Connect an account
                </Link>
              )}
            </Step>
            <Step
              title="Add what the agent should know"
              isDone={Boolean(knowledge.data?.sources.length)}
            >
              {isMember && <TeachAgent />}
            </Step>
            <Step title="Write a campaign" isDone={campaign !== undefined}>
              <p>A campaign names the keyword that customers write, and where.</p>
              {isMember && (
                <Link class={buttonOf(hasAccount)} href="/campaigns">
                  Write a campaign
                </Link>
              )}
            </Step>
            <Step title="Watch a test comment become a lead" isDone={false}>
              <TestComment isReady={hasAccount && campaign !== undefined} campaign={campaign} />
            </Step>
          </ol>
        )}
      </Loaded>
    </>
  );
}

/** Buttons of later steps are less prominent until the earlier step is done. */
function buttonOf(isNext: boolean): string {
  return isNext ? 'button primary' : 'button';
}

function Step({
  title,
  isDone,
  children,
}: {
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ComponentChildren;
}) {
  const Icon = isDone ? CircleCheck : CircleDashed;

  return (
    <li class={isDone ? 'card step done' : 'card step'}>
      <Icon aria-hidden="true" />
      <div class="stack">
        <h2>
          {title}
          {isDone && <span class="hidden"> (done)</span>}
        </h2>
        {!isDone && children}
      </div>
    </li>
  );
}

function TestComment({
  isReady,
  campaign,
}: {
  readonly isReady: boolean;
  readonly campaign: ListCampaignsResponse['campaigns'][number] | undefined;
}) {
  const keyword = campaign?.keywords[0]?.keyword;
  const [writer, setWriter] = useState<string>();
  useLiveEvents((event) => {
    if (event.type === 'conversation.created') {
      setWriter(event.data.conversation.customer.name);
    }
  });

  return (
    <>
      <p>
        Write {keyword ? `“${keyword}”` : 'the keyword'} under one of your posts, from another
        account than your own. The reply and the lead follow within a minute.
      </p>
      {isReady && (
        <p role="status">
          {writer
            ? `We received the comment of ${writer}. The agent is answering.`
            : 'Waiting for the comment. The lead appears here.'}
        </p>
      )}
    </>
  );
}
