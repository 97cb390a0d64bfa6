import { NetworkRejectionError, type NetworkRoute } from '../network-definition.ts';
import { reject, unknownPath } from './api.ts';

const latest = 26;

/**
 * The expiration of each supported version:
 * https://developers.facebook.com/docs/graph-api/changelog/versions
 */
const expirations: Readonly<Record<number, string>> = {
  21: '2027-01-21',
  22: '2027-05-20',
  23: '2027-10-08',
  24: '2028-02-18',
  25: '2028-07-29',
};

/**
 * Makes routes answer only to supported versions of the Graph API.
 *
 * Meta treats an expired version as the oldest supported one. The sandbox rejects it, because
 * otherwise nobody would notice a forgotten upgrade.
 */
export function withVersions(routes: readonly NetworkRoute[]): readonly NetworkRoute[] {
  return routes.map((route) => ({
    ...route,
    answer: (call) => {
      requireVersion(call.request.path, call.world.clock());

      return route.answer(call);
    },
  }));
}

function requireVersion(path: string, now: Date): void {
  const [, major, minor] = /\/v(\d+)\.(\d+)\//.exec(path) ?? [];

  if (major === undefined) {
    return;
  }
  const version = Number(major);

  if (version > latest || (version >= 21 && minor !== '0')) {
    throw new NetworkRejectionError(unknownPath({ path }));
  }

  if (version < 21 || now.getTime() >= Date.parse(expirations[version] ?? '9999-01-01')) {
    reject({
      status: 400,
      code: 2635,
      message: `(#2635) You are calling a deprecated version of the API. Please update to the latest version: v${latest}.0.`,
    });
  }
}
