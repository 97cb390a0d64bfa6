import { type Html, html, linked, table, time } from '../../frame/html.ts';
import type { PageSection } from '../../frame/service.ts';
import { eventTypes } from './network-definition.ts';
import type { RunningNetwork } from './network-service.ts';
import type { NetworkWorld } from './network-world.ts';

const shownRows = 100;

type Line = {
  readonly at: string;
  readonly platform: string;
  readonly account: string;
  readonly author: string;
  readonly where: string;
  readonly text: string;
};

/** The page sections about the networks: posts, conversations, and a form to send something. */
export function networkSections(networks: readonly RunningNetwork[]): readonly PageSection[] {
  const worlds = networks.map(({ world }) => world());

  return [postsSection(worlds), conversationsSection(worlds)];
}

function postsSection(worlds: readonly NetworkWorld[]): PageSection {
  const rows = worlds
    .flatMap(({ platform, posts, accounts }) =>
      [...posts.values()].map((post) => ({
        ...post,
        platform,
        account: accounts.get(post.userId)?.name ?? post.userId,
      })),
    )
    .sort((one, other) => other.at.localeCompare(one.at))
    .slice(0, shownRows)
    .map((post) => [
      time(new Date(post.at)),
      post.platform,
      post.account,
      html`${linked(post.text)}${post.media.map((url) => html`<br><code>${url}</code>`)}`,
      html`<code>${post.id}</code>`,
      Object.entries(post.metrics)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    ]);

  return {
    id: 'posts',
    title: 'Published posts',
    content: table(
      `The newest ${shownRows} posts, newest first`,
      ['Time (UTC)', 'Network', 'Account', 'Post', 'Id', 'Metrics'],
      rows,
      'No posts yet.',
    ),
  };
}

function conversationsSection(worlds: readonly NetworkWorld[]): PageSection {
  const rows = worlds
    .flatMap(linesOf)
    .sort((one, other) => other.at.localeCompare(one.at))
    .slice(0, shownRows)
    .map(({ at, platform, account, author, where, text }) => [
      time(new Date(at)),
      platform,
      account,
      author,
      where,
      text,
    ]);
  const list = table(
    `The latest ${shownRows} messages and comments, newest first`,
    ['Time (UTC)', 'Network', 'Account', 'Author', 'Where', 'Text'],
    rows,
    'No messages or comments yet.',
  );

  return {
    id: 'conversations',
    title: 'Conversations',
    content: html`${list}${eventForm(worlds)}`,
  };
}

function linesOf({ platform, messages, comments, accounts }: NetworkWorld): readonly Line[] {
  const name = (userId: string) => accounts.get(userId)?.name ?? userId;
  const fromMessages = [...messages.values()].map((one) => ({
    at: one.at,
    platform,
    account: name(one.userId),
    author: one.direction === 'in' ? one.customer.name : name(one.userId),
    where: `private message with ${one.customer.name}`,
    text: one.text,
  }));
  const fromComments = [...comments.values()].map((one) => ({
    at: one.at,
    platform,
    account: name(one.userId),
    author: one.from.name,
    where: `comment on ${one.postId}`,
    text: one.text,
  }));

  return [...fromMessages, ...fromComments];
}

function eventForm(worlds: readonly NetworkWorld[]): Html {
  return html`<form id="send-event" aria-labelledby="send-event-title">
<h3 id="send-event-title">Send a message as a customer</h3>
<div class="fields">
<label>Network <select name="platform" required>${worlds.map(
    ({ platform }) => html`<option value="${platform.toLowerCase()}">${platform}</option>`,
  )}</select></label>
<label>Type <select name="type" required>${eventTypes.map(
    (type) => html`<option>${type}</option>`,
  )}</select></label>
<label>Account ID <input name="userId" required autocomplete="off"></label>
<label>Customer ID <input name="fromId" required autocomplete="off" value="customer-1"></label>
<label>Customer name <input name="fromName" required autocomplete="off" value="Grace Hopper"></label>
<label>Post ID (for comments, optional) <input name="postId" autocomplete="off"></label>
<label class="wide">Text <textarea name="text" rows="2" required></textarea></label>
</div>
<button type="submit">Send</button>
</form>`;
}
