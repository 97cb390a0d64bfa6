import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import type { NetworkCall } from '../network-definition.ts';
import { profileOf } from '../network-world.ts';
import { rejectParameter, rejectUnknown } from './api.ts';

/** Returns the requested fields of a person who wrote to the account. */
export function readProfile(
  { world, request, parts }: NetworkCall,
  userId: string,
  known: readonly string[],
): SandboxAnswer {
  const [id = ''] = parts;
  const profile = profileOf(world, userId, id);

  if (profile === undefined) {
    return rejectUnknown('GET', id);
  }
  const requested = (request.query.get('fields') ?? 'name').split(',');
  const unknown = requested.find((name) => !known.includes(name));

  if (unknown !== undefined) {
    rejectParameter(`Tried accessing nonexisting field (${unknown}) on node type (User)`);
  }
  const values: Readonly<Record<string, string | undefined>> = {
    name: profile.name,
    first_name: profile.name.split(' ')[0],
    last_name: profile.name.split(' ').slice(1).join(' '),
    username: profile.username,
    profile_pic: profile.avatarUrl,
  };

  return jsonAnswer(200, {
    id,
    ...Object.fromEntries(requested.map((name) => [name, values[name]])),
  });
}
