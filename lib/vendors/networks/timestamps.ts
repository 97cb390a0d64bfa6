import * as z from '#schemas/zod.ts';

/** The latest time that a Date can represent. */
const lastMs = 8.64e15;

/** Milliseconds since the epoch, within the range of a Date. */
export const epochMs = z.number().min(0).max(lastMs);

export const timestampText = z.string().refine((text) => !Number.isNaN(Date.parse(text)));
