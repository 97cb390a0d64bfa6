/**
 * Messages that opt a customer out of the agent's answers, unless the organization has its own
 * words.
 */
export const defaultOptOutWords: readonly string[] = [
  'STOP',
  'STOPALL',
  'UNSUBSCRIBE',
  'CANCEL',
  'QUIT',
  'END',
  'STOPP',
  'ABMELDEN',
  'ARRET',
  'DESABONNER',
  'BAJA',
  'PARAR',
  'SAIR',
  'BASTA',
  'СТОП',
  '停止',
  '退订',
];

/** Messages that end an opt-out. They always work, in addition to the organization's own words. */
export const defaultOptInWords: readonly string[] = ['START', 'UNSTOP'];

export const defaultOptOutMessage =
  'You will receive no more automatic messages from us here. Reply START to receive them again.';
