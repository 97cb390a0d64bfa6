import { postLength } from '../../../../../lib/vendors/networks/text-length.ts';
import { textProblem } from '../../../../../lib/vendors/networks/text-problem.ts';
import type { ListCapabilitiesResponse, Media, Platform } from '../../service.ts';
import { networkNames } from '../../ui/networks.ts';

export type Capabilities = ListCapabilitiesResponse['capabilities'][number];

export { postLength };

type Composed = {
  readonly text: string;
  readonly media: readonly Media[];
  readonly firstComment: string;
  /** A story shows only its media, no text. */
  readonly isStory: boolean;
};

/**
 * Returns the reasons why the network would reject a post, as sentences. The service checks them
 * again.
 */
export function problemsOf(
  platform: Platform,
  { maxMedia, media: accepted, supports }: Capabilities,
  { text, media, firstComment, isStory }: Composed,
): readonly string[] {
  const network = networkNames[platform];
  const kinds = new Set(media.map(({ kind }) => (kind === 'VIDEO' ? 'video' : 'image')));
  const refused = [...kinds].filter((kind) => !accepted.includes(kind));
  const texts = [
    { name: 'The text', problem: textProblem(platform, 'post', text) },
    { name: 'The first comment', problem: textProblem(platform, 'COMMENT', firstComment) },
  ];

  return [
    ...texts.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [`${name} ${problem.replaceAll(platform, network)}.`],
    ),
    ...(media.length === 0 && (isStory || !supports.textOnlyPost)
      ? [`${isStory ? 'A story' : network} needs ${accepted.join(' or ')}.`]
      : []),
    ...(media.length > maxMedia ? [`${network} takes up to ${maxMedia} files.`] : []),
    ...refused.map((kind) => `${network} takes no ${kind}s.`),
    ...(kinds.size > 1 && !supports.mixedMedia
      ? [`${network} takes one video or only images.`]
      : []),
  ];
}
