import { attribution } from './attribution.ts';
import {
  id,
  name,
  orNull,
  pagination,
  paginationQuery,
  publicText,
  text,
  timestamp,
  total,
} from './common.ts';
import { contract, memberOfPath } from './contract.ts';
import { stopReasons, unansweredReasons } from './conversation-reasons.ts';
import { passage } from './knowledge.ts';
import { mediaId } from './media.ts';
import { channel, networkRefusals, platform } from './platforms.ts';
import { savedReplyId } from './saved-replies.ts';
import * as z from './zod.ts';

const conversationId = id('0192f0c3-2b3c-7182-9394-0f1a2b3c4d5e');
const socialAccountId = id('0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70');
const campaignId = id('0192f0c3-2b3d-7293-84a5-1a2b3c4d5e6f');
const userId = id('0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f');
const contactId = id('0192f0c2-2b3c-7d4e-8f50-1a2b3c4d5e6f');
const leadId = id('0192f0c2-1a2b-7c3d-8e4f-5a6b7c8d9e0f');
const agentId = id('0192f0c3-3c4d-7394-a5b6-2b3c4d5e6f71');
const templateId = id('0192f0c3-4d5e-7495-b6c7-3c4d5e6f7182');
const noteId = id('0192f0c4-5e6f-7495-a6b7-3c4d5e6f7081');
const messageId = id('0192f0c4-3c4d-7293-a4b5-1f2a3b4c5d6e');

/** Who answers: the agent, or only people. */
const controllers = ['BOT', 'HUMAN'] as const;
export type Controller = (typeof controllers)[number];

const conversationStatuses = ['OPEN', 'PAUSED', 'CLOSED'] as const;
export type ConversationStatus = (typeof conversationStatuses)[number];

const traceOutcomes = [
  'PLANNED',
  'SUPERSEDED',
  'SENT',
  'FAILED',
  'UNKNOWN',
  'STOPPED',
  'IGNORED',
  'HANDED_OVER',
  'NOBODY',
] as const;
export type TraceOutcome = (typeof traceOutcomes)[number];

const messageDirections = ['IN', 'OUT'] as const;
export type MessageDirection = (typeof messageDirections)[number];
const messageAuthors = ['CUSTOMER', 'BOT', 'HUMAN'] as const;
export type MessageAuthor = (typeof messageAuthors)[number];
/** `UNKNOWN`: the message was sent, but the network did not confirm it. */
const messageStatuses = ['RECEIVED', 'PENDING', 'SENT', 'FAILED', 'UNKNOWN'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

const attachmentKinds = ['IMAGE', 'VIDEO', 'AUDIO', 'FILE', 'STICKER', 'STORY', 'OTHER'] as const;
export type AttachmentKind = (typeof attachmentKinds)[number];

const attachment = z
  .object({
    id: id('0192f0c4-4d5e-7394-b5c6-2a3b4c5d6e7f'),
    kind: z.enum(attachmentKinds).meta({ example: 'IMAGE' }),
    contentType: orNull(z.string().meta({ example: 'image/jpeg' })),
    bytes: orNull(z.int().meta({ example: 48_213 })),
    url: orNull(z.string().meta({ example: 'https://files.example.com/attachments/photo' })).meta({
      description:
        "A link that expires after an hour. Null until the file is stored, or if it cannot be. Of stories, shares and reels (STORY, OTHER), the network's own address: they are never copied",
    }),
  })
  .meta({ id: 'Attachment' });

const status = z.enum(conversationStatuses).meta({ example: 'OPEN' });
const confidence = z.number().min(0).max(1).meta({
  example: 0.9,
  description: 'How sure the AI was of its reply. Null for messages that it did not write',
});
const maxMessageLength = 10_000;
const rating = z.int().min(1).max(5).meta({ example: 5 });

export const lastMessage = z
  .object({
    direction: z.enum(messageDirections).meta({ example: 'IN' }),
    author: z.enum(messageAuthors).meta({ example: 'CUSTOMER' }),
    text: z.string().meta({ example: 'What does an engine cost?' }),
    createdAt: timestamp(),
  })
  .meta({ id: 'LastMessage' });

export const conversation = z
  .object({
    id: conversationId,
    socialAccountId,
    platform,
    channel,
    campaignId: orNull(campaignId),
    leadId: orNull(leadId),
    contactId: orNull(contactId).meta({ description: 'The contact of the lead' }),
    customer: z.object({
      id: z.string().meta({ example: '17841400000000001' }),
      name: z.string().meta({
        example: 'Charles Babbage',
        description: 'The id if the name is unknown',
      }),
      username: orNull(z.string().meta({ example: 'cbabbage' })),
      avatarUrl: orNull(z.string().meta({ example: 'https://cdn.example.com/cbabbage.jpg' })),
      optedOutAt: orNull(timestamp()),
    }),
    attribution: orNull(attribution),
    keywordMatchedAt: orNull(timestamp()).meta({
      description: 'When the keyword matched: the conversation counts on this day',
    }),
    assignedToId: orNull(userId.meta({ description: 'The member who takes care of it' })),
    handedOverAt: orNull(timestamp()).meta({ description: 'When it was last passed to people' }),
    waitingSince: orNull(timestamp()).meta({
      description:
        'The time of the oldest unanswered customer message, while people have the conversation or nobody will answer',
    }),
    unansweredReason: orNull(z.enum(unansweredReasons).meta({ example: 'NO_MATCH' })).meta({
      description:
        'Why no agent answers a private message. Null once somebody has answered or read it',
    }),
    lastMessageAt: orNull(timestamp()),
    lastMessage: orNull(lastMessage),
    unreadCount: z.int().min(0).meta({
      example: 0,
      description: 'Customer messages since a person last answered or read the conversation',
    }),
    controller: z.enum(controllers).meta({ example: 'BOT' }),
    status,
    stopReason: orNull(z.enum(stopReasons).meta({ example: 'HUMAN_TAKEOVER' })),
    responseCount: z.int().meta({ example: 1, description: 'Replies that the agent has sent' }),
    rating: orNull(rating),
    missingVariables: z.array(z.string().meta({ example: 'discount' })).meta({
      description: "Template variables without a value in the agent's latest reply",
    }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'Conversation' });

export const message = z
  .object({
    id: messageId,
    direction: z.enum(messageDirections).meta({ example: 'IN' }),
    author: z.enum(messageAuthors).meta({ example: 'CUSTOMER' }),
    text: z.string().meta({ example: 'What does an engine cost?' }),
    status: z.enum(messageStatuses).meta({ example: 'RECEIVED' }),
    attachments: z.array(attachment),
    failureReason: orNull(z.string().meta({ example: 'The network did not confirm the result' })),
    userId: orNull(id('0192f0c0-5a6b-7c8d-9e0f-1a2b3c4d5e6f')).meta({
      description: 'The user who wrote the message here',
    }),
    confidence: orNull(confidence),
    isHidden: z.boolean().meta({ example: false, description: 'Hidden at the network from here' }),
    isLiked: z.boolean().meta({ example: false, description: 'Liked by the account from here' }),
    deletedAt: orNull(timestamp()).meta({
      description: 'When the sender withdrew the message, or it was deleted from here',
    }),
    createdAt: timestamp(),
  })
  .meta({ id: 'Message' });

const conversationSorts = ['created', 'lastMessage', 'waiting'] as const;
export type ConversationSort = (typeof conversationSorts)[number];

const onlyTrue = z.enum(['true']).meta({ example: 'true' });

const assigneeOrNone = text({ max: 36, example: 'none' })
  .check(z.toLowerCase())
  .refine((value) => value === 'none' || userId.safeParse(value).success, {
    error: 'must be the id of a user or none',
  })
  .meta({ description: 'The id of a user, or `none` for conversations that nobody takes care of' });

export const listConversations = contract({
  operationId: 'listConversations',
  path: '/ai/conversations/{organization_id}',
  summary: 'List conversations with customers',
  tool: true,
  description:
    'All filters can be combined with each sort order. In a large organization, a page can have fewer conversations than `limit`, or none, although `hasMore` is true: continue with `nextCursor`.',
  access: memberOfPath('VIEWER'),
  query: z.object({
    status: status.optional(),
    channel: channel.optional(),
    socialAccountId: socialAccountId.optional(),
    campaignId: campaignId.optional(),
    assignedToId: assigneeOrNone.optional(),
    controller: z.enum(controllers).optional(),
    unread: onlyTrue.optional(),
    waiting: onlyTrue.optional(),
    unanswered: onlyTrue.optional().meta({ description: 'Only with an `unansweredReason`' }),
    leadId: leadId.optional(),
    contactId: contactId.optional(),
    search: name({ max: 200, example: 'bab' }).optional().meta({
      description: "Beginnings of words of the customer's name or username",
    }),
    sort: z.enum(conversationSorts).default('created').meta({
      description:
        '`created` and `lastMessage` start with the latest. `waiting` starts with the customer who has waited longest, followed by those who do not wait',
    }),
    ...paginationQuery,
  }),
  response: z.object({
    conversations: z.array(conversation),
    pagination: pagination.extend({
      total: orNull(z.int().min(0).meta({ example: 1 })).meta({
        description:
          'Null if there are too many conversations to count those that match these filters',
      }),
    }),
  }),
  message: 'Conversations retrieved successfully',
});

export const getConversation = contract({
  operationId: 'getConversation',
  path: '/ai/conversations/{organization_id}/{conversation_id}',
  role: 'files',
  summary: 'Get a conversation with its latest messages',
  tool: true,
  access: memberOfPath('VIEWER'),
  response: z.object({
    conversation: conversation.extend({
      messages: z.array(message).meta({
        description:
          'The latest 100 messages in chronological order, or fewer if they are very long',
      }),
    }),
  }),
  message: 'Conversation retrieved successfully',
  errors: ['CONVERSATION_NOT_FOUND'],
});

export const listMessages = contract({
  operationId: 'listMessages',
  path: '/ai/conversations/{organization_id}/{conversation_id}/messages',
  role: 'files',
  summary: 'List the messages of a conversation, newest first',
  tool: true,
  access: memberOfPath('VIEWER'),
  query: z.object({ limit: paginationQuery.limit, cursor: paginationQuery.cursor }),
  response: z.object({ messages: z.array(message), pagination }),
  message: 'Messages retrieved successfully',
  errors: ['CONVERSATION_NOT_FOUND'],
});

export const replyToConversation = contract({
  operationId: 'replyToConversation',
  method: 'POST',
  path: '/ai/conversations/{organization_id}/{conversation_id}/reply',
  role: 'fileSender',
  summary: 'Send a reply to a customer',
  tool: true,
  description:
    'At least one of `message`, `mediaIds` and `savedReplyId` is required. Pauses the agent in this conversation until you resume it. The status UNKNOWN means that the message was sent but the network did not confirm the result. If the file fails or is not confirmed, the text is not sent, and `failureReason` says why.',
  access: memberOfPath('MEMBER'),
  body: z.object({
    message: publicText({ max: maxMessageLength, example: 'Ten pounds each.' }).optional(),
    mediaIds: z.array(mediaId).max(1).optional().meta({
      description:
        'A READY medium of the library, in private messages on Facebook and Instagram: a JPEG or PNG image (on Facebook also a GIF) of up to 8 MB, or a video of up to 25 MB. It is sent before the text',
    }),
    savedReplyId: savedReplyId.optional().meta({
      description: 'Instead of `message`: sends this saved reply with its placeholders filled in',
    }),
  }),
  bodyExamples: {
    text: { summary: 'A text', fields: ['message'] },
    file: { summary: 'A file and a text', fields: ['message', 'mediaIds'] },
    savedReply: { summary: 'A saved reply', fields: ['savedReplyId'] },
  },
  response: z.object({ reply: message }),
  message: 'Reply sent successfully',
  errors: [
    ...networkRefusals,
    'CONVERSATION_NOT_FOUND',
    'MEDIA_NOT_FOUND',
    'SAVED_REPLY_NOT_FOUND',
    'SOCIAL_ACCOUNT_INACTIVE',
    'REPLY_WINDOW_CLOSED',
    {
      code: 'WRONG_STATE',
      when: 'The conversation is about comments that were all deleted.',
    },
  ],
});

const actedOn = z.object({ messageRecord: message });
const commentErrors = [
  ...networkRefusals,
  'CONVERSATION_NOT_FOUND',
  'MESSAGE_NOT_FOUND',
  { code: 'WRONG_STATE', when: 'The comment was deleted.' },
  'OVERTAKEN',
] as const;
const once = 'Repeating it changes nothing.';

export const hideComment = contract({
  operationId: 'hideComment',
  method: 'POST',
  path: '/ai/conversations/{organization_id}/{conversation_id}/messages/{message_id}/hide',
  role: 'sender',
  summary: "Hide a customer's comment at its network",
  description: `${once} Requires the capability \`hideComment\` of the network.`,
  access: memberOfPath('MEMBER'),
  response: actedOn,
  message: 'Comment hidden successfully',
  errors: commentErrors,
});

export const unhideComment = contract({
  operationId: 'unhideComment',
  method: 'POST',
  path: '/ai/conversations/{organization_id}/{conversation_id}/messages/{message_id}/unhide',
  role: 'sender',
  summary: "Show a customer's hidden comment again",
  description: `${once} Requires the capability \`hideComment\` of the network.`,
  access: memberOfPath('MEMBER'),
  response: actedOn,
  message: 'Comment shown successfully',
  errors: commentErrors,
});

export const likeComment = contract({
  operationId: 'likeComment',
  method: 'POST',
  path: '/ai/conversations/{organization_id}/{conversation_id}/messages/{message_id}/like',
  role: 'sender',
  summary: "Like a customer's comment as the account",
  description: `${once} Requires the capability \`likeComment\` of the network.`,
  access: memberOfPath('MEMBER'),
  response: actedOn,
  message: 'Comment liked successfully',
  errors: commentErrors,
});

export const unlikeComment = contract({
  operationId: 'unlikeComment',
  method: 'POST',
  path: '/ai/conversations/{organization_id}/{conversation_id}/messages/{message_id}/unlike',
  role: 'sender',
  summary: "Remove the account's like from a customer's comment",
  description: `${once} Requires the capability \`likeComment\` of the network.`,
  access: memberOfPath('MEMBER'),
  response: actedOn,
  message: 'Like removed successfully',
  errors: commentErrors,
});

export const deleteComment = contract({
  operationId: 'deleteComment',
  method: 'DELETE',
  path: '/ai/conversations/{organization_id}/{conversation_id}/messages/{message_id}',
  role: 'sender',
  summary: "Delete a customer's comment at its network",
  description:
    'Permanent. The text is removed here too. Requires the capability `deleteComment` of the network.',
  access: memberOfPath('ADMIN'),
  response: actedOn,
  message: 'Comment deleted successfully',
  errors: commentErrors,
});

const changed = z.object({ conversation });

export const pauseConversation = contract({
  operationId: 'pauseConversation',
  method: 'POST',
  path: '/ai/conversations/{organization_id}/{conversation_id}/pause',
  summary: 'Pause the agent in a conversation',
  tool: true,
  access: memberOfPath('MEMBER'),
  response: changed,
  message: 'Conversation paused successfully',
  errors: ['CONVERSATION_NOT_FOUND'],
});

export const resumeConversation = contract({
  operationId: 'resumeConversation',
  method: 'POST',
  path: '/ai/conversations/{organization_id}/{conversation_id}/resume',
  summary: 'Resume the agent in a conversation',
  tool: true,
  access: memberOfPath('MEMBER'),
  response: changed,
  message: 'Conversation resumed successfully',
  errors: ['CONVERSATION_NOT_FOUND'],
});

export const closeConversation = contract({
  operationId: 'closeConversation',
  method: 'POST',
  path: '/ai/conversations/{organization_id}/{conversation_id}/close',
  role: 'sender',
  summary: 'Close a conversation',
  tool: true,
  description:
    'Cancels the planned replies of the agent. A new message from the customer reopens the conversation, and the agent replies.',
  access: memberOfPath('MEMBER'),
  response: changed,
  message: 'Conversation closed successfully',
  errors: ['CONVERSATION_NOT_FOUND'],
});

export const readConversation = contract({
  operationId: 'readConversation',
  method: 'POST',
  path: '/ai/conversations/{organization_id}/{conversation_id}/read',
  summary: 'Mark a conversation as read',
  access: memberOfPath('MEMBER'),
  response: changed,
  message: 'Conversation marked as read successfully',
  errors: ['CONVERSATION_NOT_FOUND'],
});

export const assignConversation = contract({
  operationId: 'assignConversation',
  method: 'POST',
  path: '/ai/conversations/{organization_id}/{conversation_id}/assign',
  role: 'sender',
  summary: 'Assign a conversation to a member',
  tool: true,
  description:
    'The member gets an email, unless they assigned it themselves or turned these emails off. A member who leaves, is removed or becomes a VIEWER loses all assigned conversations.',
  access: memberOfPath('MEMBER'),
  body: z.object({
    userId: userId.nullable().meta({ description: 'Null removes the assignment' }),
  }),
  response: changed,
  message: 'Conversation assigned successfully',
  errors: ['CONVERSATION_NOT_FOUND'],
});

export const note = z
  .object({
    id: noteId,
    text: z.string().meta({ example: 'Prefers to be called in the morning.' }),
    createdById: userId,
    createdAt: timestamp(),
  })
  .meta({ id: 'Note' });

export const createNote = contract({
  operationId: 'createNote',
  method: 'POST',
  path: '/ai/conversations/{organization_id}/{conversation_id}/notes',
  summary: 'Add a note to a conversation',
  description: 'Only the team sees notes. Neither the customer nor the AI service gets them.',
  access: memberOfPath('MEMBER'),
  body: z.object({
    text: publicText({ max: 5_000, example: 'Prefers to be called in the morning.' }),
  }),
  status: 201,
  response: z.object({ note }),
  message: 'Note created successfully',
  errors: ['CONVERSATION_NOT_FOUND', 'QUOTA_EXCEEDED'],
});

export const listNotes = contract({
  operationId: 'listNotes',
  path: '/ai/conversations/{organization_id}/{conversation_id}/notes',
  summary: 'List the notes of a conversation, newest first',
  access: memberOfPath('VIEWER'),
  response: z.object({ notes: z.array(note), total }),
  message: 'Notes retrieved successfully',
  errors: ['CONVERSATION_NOT_FOUND'],
});

export const deleteNote = contract({
  operationId: 'deleteNote',
  method: 'DELETE',
  path: '/ai/conversations/{organization_id}/{conversation_id}/notes/{note_id}',
  summary: 'Delete a note',
  description: 'Members can delete their own notes, owners and admins all.',
  access: memberOfPath('MEMBER'),
  message: 'Note deleted successfully',
  errors: ['CONVERSATION_NOT_FOUND', 'NOTE_NOT_FOUND'],
});

export const rateConversation = contract({
  operationId: 'rateConversation',
  method: 'POST',
  path: '/ai/conversations/{organization_id}/{conversation_id}/rating',
  summary: 'Rate the customer satisfaction of a conversation',
  access: memberOfPath('MEMBER'),
  body: z.object({ rating }),
  response: changed,
  message: 'Conversation rated successfully',
  errors: ['CONVERSATION_NOT_FOUND'],
});

const permission = z.object({
  allowed: z.boolean().meta({ example: true }),
  until: orNull(timestamp()).meta({ description: 'Null if the network sets no limit' }),
  reason: orNull(
    z
      .enum(['NOT_SUPPORTED', 'ACCOUNT_INACTIVE', 'WINDOW_CLOSED', 'HUMAN_TAKEOVER'])
      .meta({ example: 'WINDOW_CLOSED' }),
  ),
});

export const canReplyToConversation = contract({
  operationId: 'canReplyToConversation',
  path: '/debug/conversations/{organization_id}/{conversation_id}/can-reply',
  summary: 'Check who can reply in a conversation, and until when',
  access: memberOfPath('VIEWER'),
  response: z.object({ canReply: z.object({ agent: permission, person: permission }) }),
  message: 'Reply permission retrieved successfully',
  errors: ['CONVERSATION_NOT_FOUND'],
});

export const match = z
  .object({
    campaignId,
    keyword: z.string().meta({ example: 'price' }),
    matchType: z.string().meta({ example: 'CONTAINS' }),
    priority: z.int().meta({ example: 1 }),
  })
  .meta({ id: 'KeywordMatch' });

/** The part of an answer that the export of a person's data contains. */
export const exportedAnswer = z
  .object({
    outcome: z.enum(traceOutcomes).meta({ example: 'SENT' }),
    campaignId: orNull(campaignId),
    agentId: orNull(agentId),
    templateId: orNull(templateId),
    replyId: orNull(messageId),
    plannedFor: orNull(timestamp()),
    stopReason: orNull(z.enum(stopReasons).meta({ example: 'NO_CREDITS' })),
    detail: orNull(z.string().meta({ example: 'The network did not confirm the result' })),
    promptTokens: orNull(z.int().meta({ example: 320 })),
    completionTokens: orNull(z.int().meta({ example: 41 })),
    confidence: orNull(confidence),
  })
  .meta({ id: 'ExportedAnswer' });

const tracedAnswer = exportedAnswer
  .extend({
    missingVariables: z.array(z.string()).meta({ example: ['discount'] }),
    passages: z.array(passage).meta({ description: 'The passages in the prompt, best first' }),
  })
  .meta({ id: 'TracedAnswer' });

export const traceConversation = contract({
  operationId: 'traceConversation',
  path: '/debug/conversations/{organization_id}/{conversation_id}/trace',
  summary: 'Trace how each customer message was handled',
  access: memberOfPath('VIEWER'),
  response: z.object({
    trace: z.array(
      z.object({
        messageId,
        type: z.string().meta({ example: 'comment' }),
        verified: z.boolean().meta({ example: true, description: 'Whether the network signed it' }),
        matched: orNull(match),
        lost: z.array(match).meta({ description: 'Other matches, with lower priority' }),
        leadId: orNull(leadId),
        isNewLead: z.boolean().meta({ example: true }),
        reply: tracedAnswer,
        privateReply: orNull(tracedAnswer),
        followUp: orNull(tracedAnswer),
        moderationRule: orNull(
          z.object({
            id: id('0192f0c6-7f80-7192-a3b4-c5d6e7f80912'),
            name: z.string().meta({ example: 'Spam' }),
          }),
        ).meta({ description: 'The moderation rule that matched the comment' }),
        moderation: orNull(
          z.enum(['PLANNED', 'HIDDEN', 'FAILED', 'NOT_SUPPORTED']).meta({ example: 'HIDDEN' }),
        ).meta({ description: 'Whether the comment was hidden at the network' }),
        createdAt: timestamp(),
        updatedAt: timestamp(),
      }),
    ),
    total,
  }),
  message: 'Conversation trace retrieved successfully',
  errors: ['CONVERSATION_NOT_FOUND'],
});
