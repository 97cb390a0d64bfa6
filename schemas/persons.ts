import { id, orNull, timestamp } from './common.ts';
import { contract, memberOfPath } from './contract.ts';
import { conversation, exportedAnswer, match, message, note } from './conversations.ts';
import { activity, contact, erasure, leadRecord } from './leads.ts';
import { channel } from './platforms.ts';
import * as z from './zod.ts';

const conversationId = id('0192f0c3-2b3c-7182-9394-0f1a2b3c4d5e');

/** The data that is stored together with a contact, lead or conversation. */
const content = z.discriminatedUnion('kind', [
  message.extend({ kind: z.literal('MESSAGE'), conversationId }),
  note.extend({ kind: z.literal('NOTE'), conversationId }),
  activity.extend({ kind: z.literal('ACTIVITY') }),
  z.object({
    kind: z.literal('TRACE'),
    conversationId,
    messageId: message.shape.id,
    matched: orNull(match),
    reply: exportedAnswer,
    privateReply: orNull(exportedAnswer),
    followUp: orNull(exportedAnswer),
    createdAt: timestamp(),
  }),
  z.object({
    kind: z.literal('LINK'),
    conversationId,
    url: z.string().meta({ example: 'https://example.com/engines' }),
    clickedAt: orNull(timestamp()),
    createdAt: timestamp(),
  }),
]);

const anything = z.record(z.string(), z.unknown());

/** All data that is stored about a person, in the API's usual format. */
export const personExport = z
  .object({
    exportedAt: timestamp(),
    contact: orNull(contact),
    leads: z.array(leadRecord),
    conversations: z.array(conversation),
    contents: z.array(content).meta({
      description:
        'Messages, notes, activities, links in answers, and how messages were handled, by `kind`',
    }),
    inboundEvents: z
      .array(
        z.object({
          eventId: z.string().meta({ example: 'm_r8qbqT8EPRwqRt528bL1UPJm8sX2nyTL' }),
          type: z.string().meta({ example: 'message' }),
          channel,
          from: z.object({
            id: z.string().meta({ example: '17841400000000001' }),
            name: z.string().meta({ example: 'Charles Babbage' }),
          }),
          text: z.string().meta({ example: 'What does an engine cost?' }),
          occurredAt: z.string().meta({ example: '2026-01-15T09:30:00.000Z' }),
        }),
      )
      .meta({ description: 'Events of networks that have not become messages yet' }),
    waitingEvents: z
      .array(
        z.object({
          type: z.string().meta({ example: 'contact.updated' }),
          timestamp: timestamp(),
          data: anything.meta({ example: { contactId: '0192f0c2-1a2c-7d4e-9f50-6b7c8d9e0f1a' } }),
        }),
      )
      .meta({ description: 'Events that have not been sent to webhooks yet' }),
    deliveries: z
      .array(
        z.object({
          sourceId: z.string().meta({
            example: '0192f0c3-2b3d-7293-84a5-1a2b3c4d5e6f',
            description: 'The campaign, account or webhook',
          }),
          createdAt: timestamp(),
          body: anything.meta({ example: { type: 'contact.updated' } }),
        }),
      )
      .meta({ description: 'What was sent to webhooks in the last 30 days' }),
    importRows: z
      .array(anything.meta({ example: { name: 'Charles Babbage', email: 'ada@example.com' } }))
      .meta({ description: 'Rows of imports that have not been processed yet' }),
    knowledgeGaps: z
      .array(
        z.object({
          id: id('0192f0c5-8091-7293-b4c5-d6e7f8091a2b'),
          question: z.string().meta({ example: 'Do you ship to Sweden?' }),
          conversationId,
          lastAskedAt: timestamp(),
        }),
      )
      .meta({ description: 'Questions that the knowledge did not answer' }),
  })
  .meta({ id: 'PersonExport' });

const exported = {
  role: 'files',
  envelope: 'raw',
  contentType: 'application/json; charset=utf-8',
  memoryMb: 512,
  response: personExport,
  otherResponses: [{ status: 303, when: 'A redirect to the file, if it is large.' }],
  errors: ['notFound'],
} as const;

const orLink =
  'If it is larger than a response can be, returns a 303 to the file, whose link is valid for an hour.';

export const exportContact = contract({
  ...exported,
  operationId: 'exportContact',
  path: '/leads/{organization_id}/contacts/{contact_id}/export',
  summary: 'Export everything that is stored about a person',
  description: `Returns a JSON file with everything that erasing the contact would remove. ${orLink}`,
  access: memberOfPath('ADMIN'),
  errors: ['CONTACT_NOT_FOUND'],
});

export const exportCustomer = contract({
  ...exported,
  operationId: 'exportCustomer',
  path: '/ai/conversations/{organization_id}/{conversation_id}/export',
  summary: 'Export everything that is stored about the customer of a conversation',
  description: `For customers with or without a contact. Returns a JSON file with everything that erasing the customer would remove. ${orLink}`,
  access: memberOfPath('ADMIN'),
  errors: ['CONVERSATION_NOT_FOUND'],
});

export const eraseCustomer = contract({
  operationId: 'eraseCustomer',
  role: 'sender',
  method: 'POST',
  path: '/ai/conversations/{organization_id}/{conversation_id}/erase',
  summary: 'Erase the customer of a conversation',
  description:
    'For customers with or without a contact. Removes all conversations with the person, the contact with its leads if there is one, and all other data of the person, as erasing a contact does. While an erasure is pending, this returns it.',
  access: memberOfPath('ADMIN'),
  status: 201,
  response: z.object({ erasure }),
  message: 'Erasure started successfully',
  errors: ['CONVERSATION_NOT_FOUND'],
});
