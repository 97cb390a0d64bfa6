import { useFormats } from '../../frame/formats.ts';
import type { Media } from '../../service.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { networkNames } from '../../ui/networks.ts';
import type { Target } from './composition.ts';
import { Thumbnail } from './library.tsx';
import { postLength } from './limits.ts';

/** A preview of a post on a network, with its length and problems. */
export function Preview({
  target,
  media,
  problems,
}: {
  readonly target: Target;
  readonly media: readonly Media[];
  readonly problems: readonly string[];
}) {
  const { number } = useFormats();
  const { name, platform, capabilities, text, firstComment, thread, settings } = target;
  const network = networkNames[platform];
  const length = postLength(platform, text);
  const limit = capabilities?.maxPostLength;

  return (
    <article class="card preview-card" aria-label={`Preview on ${network}: ${name}`}>
      <header class="preview-head">
        <Avatar name={name} />
        <div>
          <p class="preview-name">{name}</p>
          <p class="quiet small">{network}</p>
        </div>
        {limit !== undefined && (
          <p class={`small count ${length > limit ? 'over' : ''}`}>
            {number(length)} / {number(limit)}
            <span class="hidden"> characters</span>
          </p>
        )}
      </header>
      {settings.postType === 'STORY' ? (
        <p class="quiet">A story shows no text.</p>
      ) : (
        text !== '' && <p class="text">{text}</p>
      )}
      {media.length > 0 && (
        <ul class="preview-media">
          {media.map((medium) => (
            <li key={medium.id}>
              <Thumbnail media={medium} />
            </li>
          ))}
        </ul>
      )}
      {thread.map((part, index) => (
        <p key={index} class="text thread-part">
          {part}
        </p>
      ))}
      {firstComment !== '' && (
        <p class="text small first-comment">
          <strong>{name}</strong> {firstComment}
        </p>
      )}
      <ul class="problems" aria-live="polite">
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </article>
  );
}
