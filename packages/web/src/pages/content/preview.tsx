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
  problems,
}: {
  readonly target: Target;
  readonly problems: readonly string[];
}) {
  const { number } = useFormats();
  const { name, platform, capabilities, text, media, firstComment, thread, settings } = target;
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
      <PreviewMedia media={media} />
      {thread.map((part, index) => (
        <div key={index} class="thread-part">
          <p class="text">{part.text}</p>
          <PreviewMedia media={part.media} />
        </div>
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

function PreviewMedia({ media }: { readonly media: readonly Media[] }) {
  return media.length === 0 ? null : (
    <ul class="preview-media">
      {media.map((medium) => (
        <li key={medium.id}>
          <Thumbnail media={medium} />
        </li>
      ))}
    </ul>
  );
}
