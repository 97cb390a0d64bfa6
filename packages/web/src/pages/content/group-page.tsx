import { Link } from 'wouter-preact';
import { Loaded, useGetByLink } from '../../frame/data.tsx';
import { client } from '../../service.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { networkNames } from '../../ui/networks.ts';
import { Page } from '../../ui/page.tsx';
import { accountOf } from './post.ts';
import { PostState } from './post-state.tsx';

/** A post for several accounts, with its state on each account. */
export function GroupPage({ groupId }: { readonly groupId: string }) {
  const query = useGetByLink(['content', 'group', groupId], (organizationId, options) =>
    client.content.getGroup({ organizationId, groupId }, options),
  );

  return (
    <Page title="Post" actions={<Link href="/content">Back to the calendar</Link>}>
      <Loaded of={query}>
        {({ group: { posts } }) => (
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
