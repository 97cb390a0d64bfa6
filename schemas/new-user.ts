import { email, id, name, text, timestamp } from './common.ts';
import * as z from './zod.ts';

/** The fields that signing up, joining and changing a profile share. */

export const firstName = name({ example: 'Ada' });
export const lastName = name({ example: 'Lovelace' });

/** bcrypt ignores everything after 72 bytes, so longer passwords are rejected. */
const maxPasswordBytes = 72;

/** Keyboards encode the same letter differently. Normalization makes the passwords match. */
export const passwordForm = 'NFC';

export const newPassword = text({
  form: passwordForm,
  min: 8,
  max: 72,
  example: 'correct horse battery',
}).refine((value) => new TextEncoder().encode(value).length <= maxPasswordBytes, {
  error: `must not be longer than ${maxPasswordBytes} bytes`,
});

/** Larger than any ID token from Google, with room for longer names. */
export const idToken = text({
  min: 1,
  max: 5_000,
  example: 'eyJhbGciOiJSUzI1NiIsImtpZCI6ImsxIn0.e30.c2ln',
  description: "The ID token from Google's sign-in button",
});

export const userSummary = z.object({
  id: id('0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f'),
  email,
  firstName,
  /** Empty if a Google account has no last name. */
  lastName: z.string().meta({ example: 'Lovelace' }),
  authProvider: z.enum(['LOCAL', 'GOOGLE']).meta({ example: 'LOCAL' }),
});

export const newUser = userSummary.extend({ createdAt: timestamp() }).meta({ id: 'NewUser' });

export const authToken = z
  .string()
  .meta({ example: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6ImsxIn0.e30.c2ln' });
