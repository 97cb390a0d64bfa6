import type { SandboxAnswer } from '../../../frame/service.ts';
import type { NetworkCall } from '../network-definition.ts';
import { profileOf } from '../network-world.ts';
import { rejectUnknown } from './api.ts';
import { nodeAnswer } from './fields.ts';
import type { NodeType } from './node-types.ts';

/** Returns the requested fields of a person who wrote to the account. */
export function readProfile(
  { world, request, parts }: NetworkCall,
  userId: string,
  type: NodeType,
): SandboxAnswer {
  const [id = ''] = parts;
  const profile = profileOf(world, userId, id);

  if (profile === undefined) {
    return rejectUnknown('GET', id);
  }

  return nodeAnswer(request, type, {
    id,
    name: profile.name,
    first_name: profile.name.split(' ')[0],
    last_name: profile.name.split(' ').slice(1).join(' '),
    username: profile.username,
    profile_pic: profile.avatarUrl,
  });
}
