import * as z from 'zod';
import {
  id,
  name,
  optional,
  orNull,
  pagination,
  paginationQuery,
  timestamp,
} from '#schemas/common.ts';
import {
  type Contract,
  contract,
  memberOfCurrent,
  openToAll,
  signedIn,
} from '#schemas/contract.ts';

const thing = z
  .object({
    id: id(),
    name: name({ example: 'Lamp' }),
    note: orNull(name({ example: 'Bright' })),
    kind: orNull(z.enum(['BIG', 'SMALL'])),
    createdAt: timestamp(),
  })
  .meta({ id: 'Thing' });

export const createThing = contract({
  operationId: 'createThing',
  area: 'leads',
  method: 'POST',
  path: '/things',
  specified: true,
  summary: 'Create a thing',
  access: memberOfCurrent('MEMBER', 'Only members can create things'),
  rateLimit: 'invitation',
  body: z.object({ name: name({ example: 'Lamp' }), note: optional(name({ example: 'Bright' })) }),
  status: 201,
  response: z.object({ thing }),
  message: 'Thing created',
  errors: ['CONTACT_EXISTS'],
});

const listThings = contract({
  operationId: 'listThings',
  area: 'leads',
  method: 'GET',
  path: '/things',
  specified: true,
  summary: 'List things',
  description: 'Newest first.',
  access: signedIn,
  query: z.object(paginationQuery),
  response: z.object({ things: z.array(thing), pagination }),
  message: 'Things',
});

export const readThing = contract({
  operationId: 'readThing',
  area: 'auth',
  method: 'GET',
  path: '/things/{thing_id}',
  summary: 'Read a thing',
  access: openToAll,
  envelope: 'bare',
  params: z.object({ thing_id: id() }),
  response: z.object({ thing }),
  errors: ['LEAD_NOT_FOUND'],
});

const showPage = contract({
  operationId: 'showPage',
  area: 'docs',
  method: 'GET',
  path: '/page',
  specified: true,
  summary: 'Show a page',
  access: openToAll,
  envelope: 'raw',
  contentType: 'text/html; charset=utf-8',
  role: 'static',
  response: z.object({}).meta({ description: 'An HTML page.', example: '<!doctype html>' }),
});

/** One endpoint of each kind that the document treats differently. */
export const fixtureEndpoints: readonly Contract[] = [createThing, listThings, readThing, showPage];

export const fixtureProject = { version: '1.2.3', license: 'UNLICENSED' };
