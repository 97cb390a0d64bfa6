import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { Loaded, useGetByLink, useOrganization, useSend } from '../../frame/data.tsx';
import { useDraftOf } from '../../frame/drafts.ts';
import { useCan, useMembership } from '../../frame/session.tsx';
import { useCapabilities } from '../../frame/shared-data.ts';
import { localTime, momentOf } from '../../frame/zoned.ts';
import { type ContentPost, client } from '../../service.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { Field, Form, TextArea } from '../../ui/form.tsx';
import { networkNames } from '../../ui/networks.ts';
import { Page } from '../../ui/page.tsx';
import { wordsIn } from '../../ui/words.ts';
import { problemsOfTarget, settingsOf, textsOf } from './composition.ts';
import { DateField } from './date-field.tsx';
import type { Capabilities } from './limits.ts';
import { MediaField, useMediaOf } from './media-field.tsx';
import { accountOf, isOpen } from './post.ts';
import { PostState, useSoon } from './post-state.tsx';
import { Preview } from './preview.tsx';
import { SettingsFields } from './settings-fields.tsx';

type Shown = { readonly post: ContentPost };

export function PostPage({ postId }: { readonly postId: string }) {
  const organization = useOrganization();
  const query = useGetByLink(['content', 'post', postId], (organizationId, options) =>
    client.content.getPost({ organizationId, postId }, options),
  );
  const post = query.data?.contentPost;

  return (
    <Page
      title={post ? `Post on ${networkNames[post.platform]}` : 'Post'}
      actions={post && <Actions post={post} />}
    >
      <Loaded of={query}>
        {({ contentPost }) => (
          <Loaded of={organization}>
            {({ organization: { timezone } }) => <Details post={contentPost} timeZone={timezone} />}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

function Actions({ post }: Shown) {
  const can = useCan();
  const [isDeleting, setIsDeleting] = useState(false);
  const [, navigate] = useLocation();
  const { id: organizationId } = useMembership();
  const isPublished = post.status === 'PUBLISHED';
  const deleting = useSend(
    async () => {
      await client.content.deletePost({ organizationId, postId: post.id });
      navigate('/content', { replace: true });
    },
    { changes: ['content'] },
  );

  return (
    <>
      <Link href={post.groupId ? `/content/groups/${post.groupId}` : '/content'}>
        {post.groupId ? 'All accounts of this post' : 'Back to the calendar'}
      </Link>
      {can('MEMBER') && (
        <button type="button" class="button" onClick={() => setIsDeleting(true)}>
          Delete
        </button>
      )}
      {isDeleting && (
        <Confirm
          title="Delete this post?"
          action="Delete post"
          sending={deleting}
          onClose={() => setIsDeleting(false)}
        >
          <p>
            {isPublished
              ? 'It is also deleted at the network, unless the network does not allow that.'
              : 'It will not be published.'}
          </p>
        </Confirm>
      )}
    </>
  );
}

function Details({ post, timeZone }: Shown & { readonly timeZone: string }) {
  const can = useCan();

  return (
    <>
      <PostState post={post} />
      {can('MEMBER') && isOpen(post) ? (
        <Edit post={post} timeZone={timeZone} />
      ) : (
        <OnNetwork post={post} text={post.content} mediaIds={post.mediaIds} />
      )}
    </>
  );
}

type OnNetworkProps = Shown & { readonly text: string; readonly mediaIds: readonly string[] };

function OnNetwork(props: OnNetworkProps) {
  const capabilities = useCapabilities();

  return (
    <Loaded of={capabilities}>
      {({ capabilities: networks }) => <PostPreview {...props} networks={networks} />}
    </Loaded>
  );
}

function PostPreview({
  post,
  text,
  mediaIds,
  networks,
}: OnNetworkProps & {
  readonly networks: readonly Capabilities[];
}) {
  const { mediaOf, failure } = useMediaOf([
    ...mediaIds,
    ...post.thread.flatMap((part) => part.mediaIds),
  ]);
  const target = {
    name: accountOf(post),
    platform: post.platform,
    capabilities: networks.find(({ platform }) => platform === post.platform),
    text,
    media: mediaOf(mediaIds),
    firstComment: post.firstComment?.text ?? '',
    thread: post.thread.map((part) => ({
      text: part.content,
      mediaIds: part.mediaIds,
      media: mediaOf(part.mediaIds),
    })),
    settings: textsOf(post.settings),
  };

  return (
    <>
      {failure}
      <Preview target={target} problems={isOpen(post) ? problemsOfTarget(target) : []} />
    </>
  );
}

type Edited = {
  readonly text: string;
  readonly at: string;
  readonly mediaIds: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  /** Separated by commas. */
  readonly tags: string;
};

function Edit({ post, timeZone }: Shown & { readonly timeZone: string }) {
  const { id: organizationId } = useMembership();
  const { value, isChanged, change, forget } = useDraftOf<Edited>(`post:${post.id}`, {
    text: post.content,
    at: post.scheduledAt ? localTime(post.scheduledAt, timeZone) : '',
    mediaIds: post.mediaIds,
    settings: textsOf(post.settings),
    tags: post.tags.join(', '),
  });
  const { mediaOf, failure } = useMediaOf(value.mediaIds);
  const media = mediaOf(value.mediaIds);
  const isThreadBegun = post.thread.some(({ status }) => status !== 'PENDING');
  const soon = useSoon();
  const saving = useSend(
    (_: unknown, options) => {
      const stored = post.scheduledAt ? localTime(post.scheduledAt, timeZone) : '';

      return client.content.updatePost(
        {
          organizationId,
          postId: post.id,
          ...(value.text !== post.content && { content: value.text }),
          ...(value.at !== stored && {
            scheduledAt: value.at === '' ? null : momentOf(value.at, timeZone),
          }),
          ...(value.tags !== post.tags.join(', ') && { tags: wordsIn(value.tags) }),
          ...(String(value.mediaIds) !== String(post.mediaIds) && { mediaIds: value.mediaIds }),
          ...(JSON.stringify(value.settings) !== JSON.stringify(textsOf(post.settings)) && {
            settings: settingsOf(post.platform, value.settings) ?? null,
          }),
        },
        options,
      );
    },
    { changes: ['content'] },
  );

  return (
    <div class="editor">
      <Form
        sending={saving}
        action="Save"
        done="Saved"
        onDone={forget}
        aside={
          <>
            {!isChanged && (
              <button
                type="button"
                class="button"
                aria-disabled={soon.isSending}
                onClick={() => soon.isSending || void soon.send(post.id).catch(() => undefined)}
              >
                Publish now
              </button>
            )}
            {isChanged && (
              <button type="button" class="button" onClick={forget}>
                Discard changes
              </button>
            )}
          </>
        }
      >
        {!isThreadBegun && (
          <>
            <TextArea
              name="content"
              label="Text"
              rows={6}
              value={value.text}
              onInput={({ currentTarget }) => change({ text: currentTarget.value })}
            />
            <MediaField
              mediaIds={value.mediaIds}
              media={media}
              onChange={(next) => change({ mediaIds: next(value.mediaIds) })}
            />
            {failure}
            <SettingsFields
              platform={post.platform}
              path="settings"
              texts={value.settings}
              media={media}
              onChange={(settings) => change({ settings })}
            />
          </>
        )}
        <Field
          name="tags"
          label="Tags"
          hint="Separated by commas. Only you see them"
          value={value.tags}
          onInput={({ currentTarget }) => change({ tags: currentTarget.value })}
        />
        <DateField
          at={value.at}
          timeZone={timeZone}
          accountId={post.socialAccountId}
          onChange={(at) => change({ at })}
        />
      </Form>
      <section class="stack" aria-label="Preview">
        <OnNetwork post={post} text={value.text} mediaIds={value.mediaIds} />
      </section>
    </div>
  );
}
