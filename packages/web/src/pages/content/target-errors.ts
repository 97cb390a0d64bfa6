import { PageError, SocialLeadsError } from '../../service.ts';
import { networkNames } from '../../ui/networks.ts';
import type { Target } from './composition.ts';

/**
 * Replaces the numbers of targets with the names of accounts, if all messages are about targets.
 */
export function namingTargets(error: unknown, targets: readonly Target[]): unknown {
  if (!(error instanceof SocialLeadsError) || error.status !== 400) {
    return error;
  }
  const messages = [error.body.message ?? []].flat().map(String);
  const named = messages.map((message) => {
    const [, index = '', problem = ''] = /^targets\.(\d+)\.?(.*)$/s.exec(message) ?? [];
    const target = targets[Number(index)];

    if (index === '' || !target) {
      return undefined;
    }
    const network = networkNames[target.platform];

    return `${target.name} (${network}): ${problem.replaceAll(target.platform, network)}.`;
  });

  return named.length > 0 && named.every((message) => message !== undefined)
    ? new PageError(named.join(' '))
    : error;
}
