import { useMembers as useMemberList } from '../../frame/shared-data.ts';

/** The members of the organization, and the name for the id of one, who can have left. */
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
