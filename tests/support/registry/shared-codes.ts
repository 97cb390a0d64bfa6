import type { ErrorCode } from '#schemas/errors.ts';

/**
 * Codes that an operation may return with different messages, and the reason why programs treat
 * these in the same way. All other failures of an operation have different codes.
 */
export const sharedCodes: Partial<Readonly<Record<ErrorCode, string>>> = {
  VALIDATION_FAILED: '`issues` names the field and the rule.',
  BODY_INVALID: 'The message says what the endpoint can parse. A program cannot repair its format.',
  WRONG_STATE: '`state` names the state.',
  OVERTAKEN: 'A program reads the current state and repeats the request, whatever was concurrent.',
  IN_USE: 'A person has to decide about what refers to the resource. The message names it.',
  QUOTA_EXCEEDED: '`quota` names the quota.',
  ROLE_INSUFFICIENT: 'Somebody with a higher role has to do it. The message says who.',
  CARD_REFUSED: 'The words of the bank. The user needs another card.',
  CARD_DECLINED: 'The words of the bank. The user needs another card.',
  PAYMENT_ACTION_REQUIRED: 'The words of the bank. The user has to confirm the card.',
  PLATFORM_REJECTED: 'The words of the network, for a person to read.',
  CAPABILITY_UNSUPPORTED: 'The message names the network and the capability that the caller chose.',
  SOCIAL_PLATFORM_UNAVAILABLE: 'A program retries, also if the server of a medium is down.',
  SOLE_OWNER: '`organizations` lists those that the message names.',
};
