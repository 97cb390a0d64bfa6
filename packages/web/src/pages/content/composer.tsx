import { Plus, X } from 'lucide-preact';
import { useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useSend } from '../../frame/data.tsx';
import { useDraftOf } from '../../frame/drafts.ts';
import { useMembership } from '../../frame/session.tsx';
import { momentOf } from '../../frame/zoned.ts';
import { client, PageError, type SocialAccount } from '../../service.ts';
import { AccountChoices } from '../../ui/account-choices.tsx';
import { Form, TextArea } from '../../ui/form.tsx';
import { networkNames } from '../../ui/networks.ts';
import { Empty } from '../../ui/states.tsx';
import {
  bodyOf,
  type Composition,
  newComposition,
  problemsOfTarget,
  type Target,
  targetsOf,
} from './composition.ts';
import { DateField } from './date-field.tsx';
import type { Capabilities } from './limits.ts';
import { MediaField, useMediaOf } from './media-field.tsx';
import { Preview } from './preview.tsx';
import { SettingsFields } from './settings-fields.tsx';
import { namingTargets } from './target-errors.ts';

type Mode = 'schedule' | 'now' | 'draft';

type ComposerProps = {
  readonly accounts: readonly SocialAccount[];
  readonly capabilities: readonly Capabilities[];
  readonly timeZone: string;
  /** Called with the path of the page that shows the new post. */
  readonly onDone: (path: string) => void;
};

/** The form for a post on several accounts. Its input survives a reload. */
export function Composer({ accounts, capabilities, timeZone, onDone }: ComposerProps) {
  const { id: organizationId } = useMembership();
  const active = accounts.filter(({ isActive }) => isActive);
  const {
    value: composed,
    isChanged,
    change,
    forget,
  } = useDraftOf<Composition>('post:new', {
    ...newComposition,
    accountIds: active.length === 1 ? active.map(({ id }) => id) : [],
  });
  // An upload may end after the draft has changed.
  const current = useRef(composed);
  current.current = composed;
  const targets = targetsOf(composed, accounts, capabilities);
  const { media, failure } = useMediaOf(composed.mediaIds);
  const problems = targets.map((target) => problemsOfTarget(target, media));
  const saving = useSend(
    async (mode: Mode, options) => {
      if (targets.length === 0) {
        throw new PageError('Choose an account.');
      }
      if (mode !== 'draft' && problems.flat().length > 0) {
        throw new PageError('A network would reject this post. The preview says why.');
      }
      const { group } = await client.content.createGroup(
        {
          organizationId,
          content: composed.text,
          ...(composed.mediaIds.length > 0 && { mediaIds: composed.mediaIds }),
          ...(mode === 'draft' && { draft: true }),
          ...(mode === 'schedule' && { scheduledAt: momentOf(composed.at, timeZone) }),
          targets: targets.map((target) => bodyOf(target, composed.text)),
        },
        options,
      );

      return { group, mode };
    },
    { changes: ['content'] },
  );
  const done = ({
    group,
    mode,
  }: {
    readonly group: { readonly id: string };
    readonly mode: Mode;
  }) => {
    const { at } = composed;
    forget();
    onDone(
      mode === 'now'
        ? `/content/groups/${group.id}`
        : `/content${mode === 'schedule' ? `?day=${at.slice(0, 10)}` : ''}`,
    );
  };
  const send = (mode: Mode) =>
    saving.isSending || void saving.send(mode).then(done, () => undefined);
  if (active.length === 0) {
    return (
      <Empty title="No account is connected">
        <p>
          <Link href="/social/accounts">Connect an account</Link>, then write its first post.
        </p>
      </Empty>
    );
  }
  const setMediaIds = (next: (ids: readonly string[]) => readonly string[]) =>
    change({ mediaIds: next(current.current.mediaIds) });

  return (
    <div class="editor">
      <Form
        sending={{
          ...saving,
          error: namingTargets(saving.error, targets),
          send: () => saving.send('schedule'),
        }}
        action="Schedule"
        onDone={done}
        aside={
          <>
            <button type="button" class="button" onClick={() => send('now')}>
              Publish now
            </button>
            <button type="button" class="button" onClick={() => send('draft')}>
              Save as draft
            </button>
            {isChanged && (
              <button type="button" class="button" onClick={forget}>
                Start over
              </button>
            )}
          </>
        }
      >
        <TextArea
          name="content"
          label="Text"
          rows={6}
          value={composed.text}
          onInput={({ currentTarget }) => change({ text: currentTarget.value })}
        />
        <AccountChoices
          accounts={active}
          chosen={composed.accountIds}
          onChange={(accountIds) => change({ accountIds })}
        />
        <MediaField mediaIds={composed.mediaIds} media={media} onChange={setMediaIds} />
        {failure}
        <Further targets={targets} composed={composed} change={change} />
        {targets
          .filter(
            ({ platform }, index) =>
              targets.findIndex((other) => other.platform === platform) === index,
          )
          .map(({ platform, settings }) => (
            <SettingsFields
              key={platform}
              platform={platform}
              path={`settings.${platform}`}
              texts={settings}
              media={media}
              onChange={(texts) =>
                change({ settings: { ...composed.settings, [platform]: texts } })
              }
            />
          ))}
        <DateField
          at={composed.at}
          timeZone={timeZone}
          accountId={composed.accountIds[0]}
          isRequired
          onChange={(at) => change({ at })}
        />
      </Form>
      <section class="stack" aria-label="Previews">
        {targets.length === 0 && (
          <p class="quiet">Choose accounts to see what the post will be there.</p>
        )}
        {targets.map((target, index) => (
          <Preview
            key={target.accountId}
            target={target}
            media={media}
            problems={problems[index] ?? []}
          />
        ))}
      </section>
    </div>
  );
}

type Part = {
  readonly composed: Composition;
  readonly change: (changes: Partial<Composition>) => void;
};

/** Texts for single accounts or networks. */
function Further({
  targets,
  composed,
  change,
}: Part & { readonly targets: ReturnType<typeof targetsOf> }) {
  const { ownTexts, firstComment, thread } = composed;
  const supports = (what: 'firstComment' | 'thread') =>
    targets.filter(({ capabilities }) => capabilities?.supports[what]);
  const namesOf = (some: readonly Target[]) =>
    [...new Set(some.map(({ platform }) => networkNames[platform]))].join(', ');
  const setPart = (index: number, text: string) =>
    change({ thread: thread.map((part, at) => (at === index ? text : part)) });

  return (
    <>
      {targets.length > 1 && (
        <details class="settings-fields">
          <summary>Other words for some accounts</summary>
          <div class="stack">
            {targets.map(({ accountId, name, platform }) => (
              <TextArea
                key={accountId}
                name={`words-${accountId}`}
                label={`Words for ${name} (${networkNames[platform]})`}
                placeholder={composed.text}
                value={ownTexts[accountId] ?? ''}
                onInput={({ currentTarget }) =>
                  change({ ownTexts: { ...ownTexts, [accountId]: currentTarget.value } })
                }
              />
            ))}
          </div>
        </details>
      )}
      {supports('firstComment').length > 0 && (
        <TextArea
          name="firstComment"
          label="First comment"
          rows={2}
          hint={`The account comments this on its post. On ${namesOf(supports('firstComment'))}`}
          value={firstComment}
          onInput={({ currentTarget }) => change({ firstComment: currentTarget.value })}
        />
      )}
      {supports('thread').length > 0 && (
        <fieldset>
          <legend>Thread on {namesOf(supports('thread'))}</legend>
          {thread.map((part, index) => (
            <div key={index} class="thread-field">
              <TextArea
                name={`thread.${index}`}
                label={`Part ${index + 2}`}
                rows={2}
                value={part}
                onInput={({ currentTarget }) => setPart(index, currentTarget.value)}
              />
              <button
                type="button"
                class="icon-button"
                aria-label={`Remove part ${index + 2}`}
                onClick={() => change({ thread: thread.filter((_, at) => at !== index) })}
              >
                <X aria-hidden="true" />
              </button>
            </div>
          ))}
          <button
            type="button"
            class="button small-button"
            onClick={() => change({ thread: [...thread, ''] })}
          >
            <Plus aria-hidden="true" />
            Add to thread
          </button>
        </fieldset>
      )}
    </>
  );
}
