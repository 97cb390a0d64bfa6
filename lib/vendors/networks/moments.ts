import * as z from '#schemas/zod.ts';

/** The last moment that a Date can hold. */
const lastMs = 8.64e15;

/** Milliseconds since the epoch, such that a Date can be made of them. */
export const epochMs = z.number().min(0).max(lastMs);

/** A moment as text, such that a Date can be made of it. */
export const moment = z.string().refine((text) => !Number.isNaN(Date.parse(text)));
