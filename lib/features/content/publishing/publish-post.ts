import type { ContentPost } from '#lib/features/content/posts/post.ts';
import { dayMs, hourMs, now, pause, secondMs, timestamp } from '#lib/platform/clock.ts';
import type {
  CommitOutcome,
  Handle,
  ProbeOutcome,
  Progress,
  Publication,
  Published,
} from '#lib/vendors/networks/network.ts';
import { NetworkFailure } from '#lib/vendors/networks/network-failure.ts';
import { AccountGone, type Connect, type Connection } from './connection.ts';
import { keepProgress, OwnershipLost, whileHeld } from './ownership.ts';

/** What became of one attempt to publish a post, or of a look at what became of an earlier one. */
export type Outcome =
  | Published
  /** The network is at work: look again then. */
  | {
      readonly state: 'waiting';
      readonly phase: 'PREPARED' | 'SENT';
      readonly handle: Handle;
      readonly retryAfterMs: number;
    }
  /** Certainly not published; another try may succeed. */
  | { readonly state: 'later'; readonly failure: unknown }
  /** Certainly not published, and never will be. */
  | { readonly state: 'refused'; readonly failure: unknown }
  /** Sent, and nobody knows. */
  | { readonly state: 'unknown'; readonly failure?: unknown }
  /** Sent, and the network does not have it. */
  | { readonly state: 'absent'; readonly reason: string };

/** How long a network's work on media is waited for where it is asked again at once. */
const maxStepWaitMs = 3 * secondMs;
/** A network that has been at work on media for so long will not end it. */
const maxPreparingMs = 2 * hourMs;

/** What is so late is not published any more: its moment has passed, and people look after it. */
const maxLatenessMs = dayMs;

/** Nothing was published within the time for it. */
export class TooLate extends Error {
  constructor() {
    super('The post could not be published within 24 hours of its scheduled time');
    this.name = 'TooLate';
  }
}

export class MediaNotReady extends Error {
  constructor() {
    super('The network did not finish processing the media in time');
    this.name = 'MediaNotReady';
  }
}

type Attempt = {
  readonly post: ContentPost;
  readonly connection: Connection;
  readonly publication: Publication;
  /** Until when it may wait in place, in milliseconds since the epoch. */
  readonly patientUntilMs: number;
};

/**
 * Publishes a post that the caller owns, as far as it has not been, and keeps it meanwhile. Whatever
 * has been sent before is looked for and not sent again. No failure of the network leaves this
 * function.
 *
 * @throws OwnershipLost where somebody else has taken the post.
 */
export function publishPost(
  post: ContentPost,
  connect: Connect,
  patienceMs: number,
): Promise<Outcome> {
  return whileHeld(post, () => publishHeld(post, connect, patienceMs));
}

async function publishHeld(
  post: ContentPost,
  connect: Connect,
  patienceMs: number,
): Promise<Outcome> {
  const wasSent = post.phase === 'ARMED' || post.phase === 'SENT' || post.phase === 'UNCONFIRMED';
  try {
    const connection = await connect(post);
    const publication = post.sent ?? publicationOf(post);
    const patientUntilMs = now() + patienceMs;

    return wasSent
      ? await lookFor(post, connection, publication)
      : await send({ post, connection, publication, patientUntilMs });
  } catch (failure) {
    if (failure instanceof OwnershipLost) {
      throw failure;
    }
    if (wasSent) {
      return { state: 'unknown', failure };
    }

    return { state: isForGood(failure) ? 'refused' : 'later', failure };
  }
}

export function publicationOf({ content, mediaUrls }: ContentPost): Publication {
  return { text: content, mediaUrls };
}

/** Before anything was sent, a failure without an answer is no danger: the next try begins anew. */
function isForGood(failure: unknown): boolean {
  if (failure instanceof NetworkFailure) {
    return !failure.isTransient && failure.kind !== 'outcomeUnknown';
  }

  return [AccountGone, MediaNotReady, TooLate].some((kind) => failure instanceof kind);
}

async function send(attempt: Attempt): Promise<Outcome> {
  const { post, connection, publication } = attempt;
  if (now() - Date.parse(post.scheduledAt ?? post.createdAt) > maxLatenessMs) {
    throw new TooLate();
  }
  const progress = await prepare(attempt);
  if (progress.state === 'pending') {
    return { ...progress, state: 'waiting', phase: 'PREPARED' };
  }
  const { handle } = progress;
  await keepProgress(post, { phase: 'ARMED', handle, armedAt: timestamp() });
  try {
    return afterCommit(
      await connection((network, credentials) => network.commit(credentials, publication, handle)),
    );
  } catch (failure) {
    if (!(failure instanceof NetworkFailure) || !failure.provesNothingDone) {
      return { state: 'unknown', failure };
    }

    return { state: failure.isTransient ? 'later' : 'refused', failure };
  }
}

function afterCommit(outcome: CommitOutcome): Outcome {
  return outcome.state === 'published' ? outcome : { ...outcome, state: 'waiting', phase: 'SENT' };
}

/** All that can be done before anything is visible. Each step is kept before the next is taken. */
async function prepare(attempt: Attempt): Promise<Progress> {
  const { post, connection, publication, patientUntilMs } = attempt;
  const preparingSince = post.preparingSince ?? timestamp();
  let handle = post.handle;
  for (;;) {
    const known = handle;
    const progress = await connection((network, credentials) =>
      network.prepare(credentials, publication, known),
    );
    if (progress.state === 'ready') {
      return progress;
    }
    if (now() - Date.parse(preparingSince) > maxPreparingMs) {
      throw new MediaNotReady();
    }
    handle = progress.handle;
    await keepProgress(post, { phase: 'PREPARED', handle, preparingSince });
    const { retryAfterMs } = progress;
    if (retryAfterMs > maxStepWaitMs || now() + retryAfterMs > patientUntilMs) {
      return progress;
    }
    await pause(retryAfterMs);
  }
}

/** Looks at the network for what was sent, and sends nothing. */
async function lookFor(
  post: ContentPost,
  connection: Connection,
  publication: Publication,
): Promise<Outcome> {
  const { handle = {}, armedAt = post.createdAt } = post;
  const found: ProbeOutcome = await connection((network, credentials) =>
    network.probe(credentials, publication, handle, armedAt),
  );
  if (found.state === 'processing') {
    return { state: 'waiting', phase: 'SENT', handle, retryAfterMs: found.retryAfterMs };
  }

  return found.state === 'failed'
    ? { state: 'refused', failure: refusedLater(post, found.reason) }
    : found;
}

/** Some networks take a post, and refuse it when they have looked at its media. */
function refusedLater({ platform }: ContentPost, message: string): NetworkFailure {
  return new NetworkFailure(platform, 'refused', { message });
}
