import { config } from 'zod';

export * from 'zod';

// Schemas are interpreted. By itself zod writes a program for each object when it first sees one, and
// has it compiled: worth its while after hundreds of requests, and a part of every cold start. A
// schema keeps what it was made with.
config({ jitless: true });
