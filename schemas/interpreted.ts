import * as z from 'zod';

/**
 * Has schemas interpreted. By itself zod writes a program for each object when it first sees one, and
 * has it compiled: worth its while after hundreds of requests, and a part of every cold start. Imported
 * by what makes schemas first, as a schema keeps what it was made with.
 */
z.config({ jitless: true });
