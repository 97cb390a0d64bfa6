import {
  emptyBody,
  id,
  name,
  optional,
  orNull,
  pagination,
  paginationQuery,
  publicText,
  timestamp,
  webUrl,
} from './common.ts';
import { contract, memberOfPath } from './contract.ts';
import * as z from './zod.ts';

export const knowledgeSourceId = id('0192f0c9-5f6a-7b7c-8d8e-9f0a1b2c3d4e');
const gapId = id('0192f0c9-6a7b-7c8d-9e9f-0a1b2c3d4e5f');

const sourceTypes = ['TEXT', 'FAQ', 'URL', 'FILE'] as const;
export type SourceType = (typeof sourceTypes)[number];

const sourceStatuses = ['PENDING', 'READY', 'FAILED'] as const;
export type SourceStatus = (typeof sourceStatuses)[number];

/** A decimal unit, as for media. */
export const maxDocumentBytes = 10_000_000;
export const maxFaqPairs = 500;
/** All pairs are stored in one transaction of at most 4 MB. */
const maxFaqCharacters = 500_000;

const documentTypes = ['text/plain', 'text/markdown', 'text/html', 'application/pdf'] as const;
export type DocumentType = (typeof documentTypes)[number];
const reads = memberOfPath('VIEWER');
const writes = memberOfPath('MEMBER');

const count = (example: number) => z.int().min(0).meta({ example });
const score = z.number().meta({ example: 0.87, description: 'Cosine similarity, up to 1' });
const passageText = z.string().meta({ example: 'We open at nine.' });
const sourceName = name({ example: 'Opening hours' });
const shownName = z.string().meta({ example: 'Opening hours' });

const faqQuestion = publicText({ max: 500, example: 'When do you open?' });
const pair = z.object({
  question: faqQuestion,
  answer: publicText({ max: 2_000, example: 'We open at nine.' }),
});
const faq = z
  .array(pair)
  .min(1)
  .max(maxFaqPairs)
  .refine(
    (pairs) =>
      pairs.reduce((sum, { question, answer }) => sum + question.length + answer.length, 0) <=
      maxFaqCharacters,
    { error: 'must not exceed 500,000 characters in total' },
  );
const content = publicText({ max: 100_000, example: 'We open at nine and close at six.' });
const url = webUrl.meta({ example: 'https://example.com/opening-hours' });

const source = z
  .object({
    id: knowledgeSourceId,
    type: z.enum(sourceTypes).meta({ example: 'TEXT' }),
    name: shownName,
    status: z.enum(sourceStatuses).meta({ example: 'READY' }),
    failureReason: orNull(z.string().meta({ example: null })),
    chunkCount: count(1).meta({ description: 'Passages that are searched' }),
    bytes: orNull(count(33)).meta({ description: 'Size of the content that was read' }),
    lastSyncedAt: orNull(timestamp()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'KnowledgeSource' });

/** A passage that was found, in the format that debugging and traces also use. */
export const passage = z
  .object({ sourceId: knowledgeSourceId, sourceName: shownName, text: passageText, score })
  .meta({ id: 'KnowledgePassage' });

export const tooManyPassages = 'An organization can have at most 5000 passages';

export const notUploaded = 'The file has not been uploaded yet';
export const faqIsFull = `A FAQ can have at most ${maxFaqPairs} pairs`;

export const createKnowledgeSource = contract({
  operationId: 'createKnowledgeSource',
  method: 'POST',
  path: '/ai/knowledge/{organization_id}/sources',
  summary: 'Create a source of knowledge for AI replies',
  description: [
    'Each type has its own fields: TEXT `text`; FAQ `faq`; URL `url`; FILE `fileName`, `contentType` and `bytes`.',
    'A file (text, Markdown, HTML or PDF, up to 10 MB) is sent to `upload.url` with exactly the given method and headers, and then completed. It is deleted if that does not happen within a day.',
    'The source is PENDING until its content has been read.',
  ].join(' '),
  role: 'upload',
  access: writes,
  body: z.object({
    type: z.enum(sourceTypes).meta({ example: 'TEXT' }),
    name: sourceName,
    text: optional(content),
    faq: optional(faq),
    url: optional(url),
    fileName: optional(name({ max: 255, example: 'manual.pdf' })),
    contentType: optional(z.enum(documentTypes)).meta({ example: 'application/pdf' }),
    bytes: optional(z.int().min(1).max(maxDocumentBytes)).meta({ example: 48_211 }),
  }),
  bodyExamples: {
    text: { summary: 'A text', fields: ['type', 'name', 'text'] },
    faq: {
      summary: 'Questions and answers',
      fields: ['type', 'name', 'faq'],
      values: { type: 'FAQ' },
    },
    url: { summary: 'A web page', fields: ['type', 'name', 'url'], values: { type: 'URL' } },
    file: {
      summary: 'A file, which is uploaded next',
      fields: ['type', 'name', 'fileName', 'contentType', 'bytes'],
      values: { type: 'FILE' },
    },
  },
  status: 201,
  response: z.object({
    source,
    upload: orNull(
      z.object({
        method: z.enum(['PUT']).meta({ example: 'PUT' }),
        url: z.string().meta({ example: 'https://files.example.com/uploads/1?signature=x' }),
        headers: z.record(z.string(), z.string()).meta({ example: { 'content-length': '48211' } }),
        expiresAt: timestamp(),
      }),
    ).meta({ description: 'Only for FILE' }),
  }),
  message: 'Knowledge source created successfully',
  errors: ['QUOTA_EXCEEDED'],
});

export const listKnowledgeSources = contract({
  operationId: 'listKnowledgeSources',
  path: '/ai/knowledge/{organization_id}/sources',
  summary: 'List sources of knowledge, newest first',
  tool: true,
  access: reads,
  response: z.object({ sources: z.array(source), total: count(1) }),
  message: 'Knowledge sources retrieved successfully',
});

export const getKnowledgeSource = contract({
  operationId: 'getKnowledgeSource',
  path: '/ai/knowledge/{organization_id}/sources/{source_id}',
  summary: 'Get a source of knowledge',
  access: reads,
  response: z.object({ source }),
  message: 'Knowledge source retrieved successfully',
  errors: ['KNOWLEDGE_SOURCE_NOT_FOUND'],
});

export const updateKnowledgeSource = contract({
  operationId: 'updateKnowledgeSource',
  method: 'PATCH',
  path: '/ai/knowledge/{organization_id}/sources/{source_id}',
  summary: 'Rename a source of knowledge or replace its content',
  description:
    '`text`, `faq` and `url` are for sources of that type. The previous passages are used until the new ones are READY.',
  role: 'sender',
  access: writes,
  body: z.object({
    name: sourceName.optional(),
    text: content.optional(),
    faq: faq.optional(),
    url: url.optional(),
  }),
  bodyExamples: { name: { summary: 'Rename it', fields: ['name'] } },
  response: z.object({ source }),
  message: 'Knowledge source updated successfully',
  errors: ['KNOWLEDGE_SOURCE_NOT_FOUND', 'QUOTA_EXCEEDED'],
});

export const deleteKnowledgeSource = contract({
  operationId: 'deleteKnowledgeSource',
  method: 'DELETE',
  path: '/ai/knowledge/{organization_id}/sources/{source_id}',
  summary: 'Delete a source of knowledge',
  description: 'It is removed from the agents that use it.',
  role: 'sender',
  access: memberOfPath('ADMIN'),
  message: 'Knowledge source deleted successfully',
  errors: ['KNOWLEDGE_SOURCE_NOT_FOUND'],
});

export const completeKnowledgeSource = contract({
  operationId: 'completeKnowledgeSource',
  method: 'POST',
  path: '/ai/knowledge/{organization_id}/sources/{source_id}/complete',
  summary: 'Complete the upload of a file',
  description:
    'Starts the reading, which takes seconds. Completing an upload twice changes nothing.',
  role: 'upload',
  access: writes,
  body: emptyBody,
  response: z.object({ source }),
  message: 'Upload completed successfully',
  errors: [
    'KNOWLEDGE_SOURCE_NOT_FOUND',
    { code: 'WRONG_STATE', when: 'The file has not arrived, or the source is not a file.' },
  ],
});

export const syncKnowledgeSource = contract({
  operationId: 'syncKnowledgeSource',
  method: 'POST',
  path: '/ai/knowledge/{organization_id}/sources/{source_id}/sync',
  summary: 'Read the URL of a source again',
  description: 'The previous passages are used until the new ones are READY.',
  role: 'sender',
  access: writes,
  body: emptyBody,
  response: z.object({ source }),
  message: 'Synchronization started successfully',
  errors: ['KNOWLEDGE_SOURCE_NOT_FOUND'],
});

export const searchKnowledge = contract({
  operationId: 'searchKnowledge',
  method: 'POST',
  path: '/ai/knowledge/{organization_id}/search',
  summary: 'Search the knowledge by meaning, best first',
  role: 'files',
  access: reads,
  body: z.object({
    query: publicText({ max: 1_000, example: 'When do you open?' }),
    limit: z.int().min(1).max(50).default(10).meta({ example: 10 }),
  }),
  response: z.object({ hits: z.array(passage) }),
  message: 'Knowledge searched successfully',
  errors: ['AI_SERVICE_UNAVAILABLE'],
  memoryMb: 512,
  idempotent: false,
});

export const listKnowledgeGaps = contract({
  operationId: 'listKnowledgeGaps',
  path: '/ai/knowledge/{organization_id}/gaps',
  summary: 'List questions that the knowledge did not answer, newest first',
  tool: true,
  access: reads,
  query: z.object(paginationQuery),
  response: z.object({
    gaps: z.array(
      z.object({
        id: gapId,
        question: z.string().meta({ example: 'Do you ship to Norway?' }),
        count: count(2).meta({ description: 'How often it was asked, in similar words' }),
        lastAskedAt: timestamp(),
        conversationIds: z.array(id()).meta({ description: 'The three latest' }),
      }),
    ),
    pagination,
  }),
  message: 'Knowledge gaps retrieved successfully',
});

export const answerKnowledgeGap = contract({
  operationId: 'answerKnowledgeGap',
  method: 'POST',
  path: '/ai/knowledge/{organization_id}/gaps/{gap_id}/answer',
  summary: 'Answer a question that the knowledge did not answer',
  tool: true,
  description:
    'Adds the pair to the FAQ `sourceId`, or to the one called `Answers`, which is created if necessary and used by the agent that was asked. The gap is then deleted.',
  role: 'sender',
  access: writes,
  body: z.object({
    question: optional(faqQuestion).meta({
      description: "The question in your words. Default: the customer's, without web addresses",
    }),
    answer: publicText({ max: 2_000, example: 'Yes, within five days.' }),
    sourceId: optional(knowledgeSourceId),
  }),
  bodyExamples: { answer: { summary: 'In a new source', fields: ['answer'] } },
  response: z.object({ source }),
  message: 'Knowledge gap answered successfully',
  errors: ['KNOWLEDGE_GAP_NOT_FOUND', 'KNOWLEDGE_SOURCE_NOT_FOUND', 'QUOTA_EXCEEDED'],
});

export const deleteKnowledgeGap = contract({
  operationId: 'deleteKnowledgeGap',
  method: 'DELETE',
  path: '/ai/knowledge/{organization_id}/gaps/{gap_id}',
  summary: 'Delete a question that the knowledge did not answer',
  access: writes,
  message: 'Knowledge gap deleted successfully',
  errors: ['KNOWLEDGE_GAP_NOT_FOUND'],
});
