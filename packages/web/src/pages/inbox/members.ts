import { useMembers as useMemberList } from '../../frame/shared-data.ts';

/**
 * Returns the members of the organization, and a function for the name of a member. That member may
 * have left.
 */
export function useMembers() {
  const query = useMemberList();
  const { data } = query;
  const members = (data?.members ?? []).map(({ id, firstName, lastName, role }) => ({
    id,
    role,
    name: `${firstName} ${lastName}`.trim(),
  }));

  return {
    query,
    members,
    memberName: (id: string) =>
      members.find((member) => member.id === id)?.name ?? (data ? 'A former member' : ''),
  };
}
