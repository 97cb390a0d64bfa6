import {
  networkId,
  optional,
  optionalId,
  optionalText,
  readPart,
  textOrEmpty,
} from '#lib/vendors/networks/lenient-fields.ts';
import type { NormalisedEvent, SentFile } from '#lib/vendors/networks/network.ts';
import { ifFound } from '#lib/vendors/networks/network-error.ts';
import { namedFiles } from '#lib/vendors/networks/sent-files.ts';
import type { Platform } from '#schemas/platforms.ts';
import * as z from '#schemas/zod.ts';
import { pathOf } from './graph-call.ts';
import type { MetaCall } from './meta-request.ts';

/** Unverified: the format of attachments, and whose id `from` contains. See docs/operations.md. */
const messageFields = 'id,created_time,from,to,message,attachments';

const medium = optional(z.object({ url: optionalText }));
const person = z.object({ id: networkId, name: textOrEmpty });
const message = z.object({
  created_time: optionalText,
  from: optional(person),
  to: optional(z.object({ data: z.array(person) })),
  message: textOrEmpty,
  attachments: optional(
    z.object({
      data: z.array(
        z.object({
          image_data: medium,
          video_data: medium,
          file_url: optionalText,
          id: optionalId,
        }),
      ),
    }),
  ),
});
type File = NonNullable<z.output<typeof message>['attachments']>['data'][number];

/** Fetches a message whose event contains only the id. Returns undefined if it does not exist. */
export async function completedEvent(
  platform: Platform,
  call: MetaCall,
  event: NormalisedEvent,
): Promise<NormalisedEvent | undefined> {
  const answer = await ifFound(
    call({ path: pathOf(event.messageId), query: { fields: messageFields } }),
  );
  const read = answer && readPart(platform, message, answer.json);
  const from = event.from.id === '' ? read?.from : event.from;
  if (!read || !from) {
    return undefined;
  }
  const { isIncomplete: _, ...known } = event;
  const isEcho = event.isEcho || from.id === event.platformUserId;
  const to = event.to?.id ? event.to : read.to?.data[0];
  const at = Date.parse(read.created_time ?? '');

  return {
    ...known,
    eventId: event.messageId,
    from,
    to: isEcho ? to : undefined,
    text: read.message,
    ...namedFiles((read.attachments?.data ?? []).map(fileOf)),
    isEcho,
    ...(Number.isNaN(at) ? {} : { occurredAt: new Date(at).toISOString() }),
  };
}

function fileOf({ image_data: image, video_data: video, file_url: url }: File): SentFile {
  const kind = image ? 'IMAGE' : video ? 'VIDEO' : 'FILE';
  const source = image?.url ?? video?.url ?? url;

  return { kind, ...(source === undefined ? {} : { url: source }) };
}
