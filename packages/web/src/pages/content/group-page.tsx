import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { Loaded, useGetByLink, useSend } from '../../frame/data.tsx';
import { useCan, useMembership } from '../../frame/session.tsx';
import { client } from '../../service.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { networkNames } from '../../ui/networks.ts';
import { Page } from '../../ui/page.tsx';
import { accountOf, isOpen } from './post.ts';
import { PostState } from './post-state.tsx';

/** A post for several accounts, with its state on each account. */
export function GroupPage({ groupId }: { readonly groupId: string }) {
  const query = useGetByLink(['content', 'group', groupId], (organizationId, options) =>
    client.content.getGroup({ organizationId, groupId }, options),
  );

  const posts = query.data?.group.posts ?? [];

  return (
    <Page
      title="Post"
      actions={
        <>
          <Link href="/content">Back to the calendar</Link>
          {posts.some(isOpen) && <Cancel groupId={groupId} isAll={posts.every(isOpen)} />}
        </>
      }
    >
      <Loaded of={query}>
        {() => (
          <>
            <p class="text">{posts[0]?.content}</p>
            <ul class="stack targets">
              {posts.map((post) => (
                <li key={post.id} class="card target">
                  <div class="preview-head">
                    <Avatar name={accountOf(post)} />
                    <div>
                      <h2>
                        <Link href={`/content/posts/${post.id}`}>{accountOf(post)}</Link>
                      </h2>
                      <p class="quiet small">{networkNames[post.platform]}</p>
                    </div>
                  </div>
                  <PostState post={post} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Deletes all posts of the group that are not published yet. */
function Cancel({ groupId, isAll }: { readonly groupId: string; readonly isAll: boolean }) {
  const can = useCan();
  const { id: organizationId } = useMembership();
  const [isOpened, setIsOpened] = useState(false);
  const [, navigate] = useLocation();
  const canceling = useSend(
    async () => {
      await client.content.deleteGroup({ organizationId, groupId });
      if (isAll) {
        navigate('/content', { replace: true });
      }
    },
    { changes: ['content'] },
  );

  return (
    <>
      {can('MEMBER') && (
        <button type="button" class="button" onClick={() => setIsOpened(true)}>
          Delete unpublished posts
        </button>
      )}
      {isOpened && (
        <Confirm
          title="Delete the unpublished posts?"
          action="Delete posts"
          sending={canceling}
          onClose={() => setIsOpened(false)}
        >
          <p>
            {isAll
              ? 'They are deleted for all accounts.'
              : 'Posts that are published stay at their networks.'}
          </p>
        </Confirm>
      )}
    </>
  );
}
