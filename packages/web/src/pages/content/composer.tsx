import { Plus, X } from 'lucide-preact';
import { useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useSend } from '../../frame/data.tsx';
import { useDraftOf } from '../../frame/drafts.ts';
import { useMembership } from '../../frame/session.tsx';
import { momentOf } from '../../frame/zoned.ts';
import { client, isRejection, PageError, type SocialAccount } from '../../service.ts';
import { AccountChoices } from '../../ui/account-choices.tsx';
import { Field, Form, TextArea } from '../../ui/form.tsx';
import { networkNames } from '../../ui/networks.ts';
import { Empty, Failed } from '../../ui/states.tsx';
import {
  allMediaIds,
  bodyOf,
  type Composition,
  type MediaOf,
  newComposition,
  problemsOfTarget,
  type Target,
  type ThreadPart,
  targetsOf,
} from './composition.ts';
import { DateField } from './date-field.tsx';
import type { Capabilities } from './limits.ts';
import { LibraryMedia, MediaField, useMediaOf } from './media-field.tsx';
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
  } = useDraftOf<Composition>('post:composed', {
    ...newComposition,
    accountIds: active.length === 1 ? active.map(({ id }) => id) : [],
  });
  const lastMode = useRef<Mode>('schedule');
  // An upload may end after the draft has changed.
  const current = useRef(composed);
  current.current = composed;
  const { mediaOf, failure } = useMediaOf(allMediaIds(composed));
  const media = mediaOf(composed.mediaIds);
  const targets = targetsOf(composed, accounts, capabilities, mediaOf);
  const problems = targets.map(problemsOfTarget);
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
          ...bodyOf(composed, targets),
          ...(mode === 'draft' && { draft: true }),
          ...(mode === 'schedule' && { scheduledAt: momentOf(composed.at, timeZone) }),
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
  const send = (mode: Mode) => {
    if (!saving.isSending) {
      lastMode.current = mode;
      void saving.send(mode).then(done, () => undefined);
    }
  };
  // The form would try again to schedule the post.
  const retriesForm = lastMode.current === 'schedule' || isRejection(saving.error);
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
          error: retriesForm ? namingTargets(saving.error, targets) : null,
          send: () => {
            lastMode.current = 'schedule';

            return saving.send('schedule');
          },
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
        <Further targets={targets} composed={composed} mediaOf={mediaOf} change={change} />
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
              media={mediaOf(allMediaIds(composed))}
              onChange={(texts) =>
                change({ settings: { ...composed.settings, [platform]: texts } })
              }
            />
          ))}
        <Tracking composed={composed} change={change} />
        <DateField
          at={composed.at}
          timeZone={timeZone}
          accountId={composed.accountIds[0]}
          isRequired
          onChange={(at) => change({ at })}
        />
        {!retriesForm && <Failed of={saving} onRetry={() => send(lastMode.current)} />}
      </Form>
      <section class="stack" aria-label="Previews">
        {targets.length === 0 && (
          <p class="quiet">Choose accounts to see what the post will be there.</p>
        )}
        {targets.map((target, index) => (
          <Preview key={target.accountId} target={target} problems={problems[index] ?? []} />
        ))}
      </section>
    </div>
  );
}

type Part = {
  readonly composed: Composition;
  readonly change: (changes: Partial<Composition>) => void;
};

/** Texts and media for single accounts or networks. */
function Further({
  targets,
  composed,
  mediaOf,
  change,
}: Part & { readonly targets: ReturnType<typeof targetsOf>; readonly mediaOf: MediaOf }) {
  const { ownTexts, ownMediaIds, firstComment, thread } = composed;
  const supports = (what: 'firstComment' | 'thread') =>
    targets.filter(({ capabilities }) => capabilities?.supports[what]);
  const namesOf = (some: readonly Target[]) =>
    [...new Set(some.map(({ platform }) => networkNames[platform]))].join(', ');
  const setPart = (index: number, changed: Partial<ThreadPart>) =>
    change({ thread: thread.map((part, at) => (at === index ? { ...part, ...changed } : part)) });

  return (
    <>
      {targets.length > 1 && (
        <details class="settings-fields">
          <summary>Other words or media for some accounts</summary>
          <div class="stack">
            {targets.map(({ accountId, name, platform }) => (
              <div key={accountId} class="stack">
                <TextArea
                  name={`words-${accountId}`}
                  label={`Words for ${name} (${networkNames[platform]})`}
                  placeholder={composed.text}
                  value={ownTexts[accountId] ?? ''}
                  onInput={({ currentTarget }) =>
                    change({ ownTexts: { ...ownTexts, [accountId]: currentTarget.value } })
                  }
                />
                <LibraryMedia
                  of={` for ${name} (${networkNames[platform]})`}
                  mediaIds={ownMediaIds[accountId] ?? []}
                  media={mediaOf(ownMediaIds[accountId] ?? [])}
                  onChange={(next) =>
                    change({
                      ownMediaIds: {
                        ...ownMediaIds,
                        [accountId]: next(ownMediaIds[accountId] ?? []),
                      },
                    })
                  }
                />
              </div>
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
              <div class="stack">
                <TextArea
                  name={`thread.${index}`}
                  label={`Part ${index + 2}`}
                  rows={2}
                  value={part.text}
                  onInput={({ currentTarget }) => setPart(index, { text: currentTarget.value })}
                />
                <LibraryMedia
                  of={` for part ${index + 2}`}
                  mediaIds={part.mediaIds}
                  media={mediaOf(part.mediaIds)}
                  onChange={(next) => setPart(index, { mediaIds: next(part.mediaIds) })}
                />
              </div>
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
            onClick={() => change({ thread: [...thread, { text: '', mediaIds: [] }] })}
          >
            <Plus aria-hidden="true" />
            Add to thread
          </button>
        </fieldset>
      )}
    </>
  );
}

const trackingFields = {
  utmSource: 'UTM source',
  utmMedium: 'UTM medium',
  utmCampaign: 'UTM campaign',
} as const;

/** What reports find a post and the clicks on its links by. */
function Tracking({ composed, change }: Part) {
  return (
    <details class="settings-fields">
      <summary>Tags and tracking</summary>
      <div class="columns">
        <Field
          name="tags"
          label="Tags"
          hint="Separated by commas. Only you see them"
          value={composed.tags}
          onInput={({ currentTarget }) => change({ tags: currentTarget.value })}
        />
        {Object.entries(trackingFields).map(([name, label]) => (
          <Field
            key={name}
            name={name}
            label={label}
            hint="Added to the links in the text"
            value={composed[name as keyof typeof trackingFields]}
            onInput={({ currentTarget }) => change({ [name]: currentTarget.value })}
          />
        ))}
      </div>
    </details>
  );
}
