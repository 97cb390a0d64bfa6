import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextChain } from '#lib/features/auth/email-chain.ts';
import type { User } from '#lib/features/users/users.ts';

type State = Pick<User, 'email' | 'emailVerified' | 'emailChain'>;

type Move = {
  readonly to: string;
  readonly isConfirmed: boolean;
  readonly isVerifiedFirst: boolean;
};

const addresses = ['own@example.com', 'b@example.com', 'c@example.com', 'd@example.com'];
const move: fc.Arbitrary<Move> = fc.record({
  to: fc.constantFrom(...addresses),
  isConfirmed: fc.boolean(),
  isVerifiedFirst: fc.boolean(),
});

/** Returns the state after the moves, and the addresses that received a link. */
function play(start: State, moves: readonly Move[]) {
  const linked = new Set<string>();
  let state = start;
  for (const { to, isConfirmed, isVerifiedFirst } of moves) {
    if (to !== state.email) {
      const user = { ...state, emailVerified: state.emailVerified || isVerifiedFirst } as User;
      const emailChain = nextChain(user, to, isConfirmed);
      if (emailChain.revertible === user.email) {
        linked.add(user.email);
      }
      state = { email: to, emailVerified: false, emailChain };
    }
  }

  return { state, linked };
}

describe('the chain of address changes', () => {
  it('creates no link for any address except the one that was verified before it', () => {
    const start = { email: 'own@example.com', emailVerified: true };
    fc.assert(
      fc.property(fc.array(move, { maxLength: 12 }), (moves) => {
        const { state, linked } = play(start, moves);

        expect([...linked, state.emailChain?.revertible ?? start.email]).toEqual(
          [...linked].map(() => start.email).concat(start.email),
        );
      }),
    );
  });

  it('leaves no valid link after a former address was restored, even if it was not verified', () => {
    const start = { email: 'own@example.com', emailVerified: false };
    fc.assert(
      fc.property(fc.array(move, { maxLength: 12 }), (moves) => {
        const [first = { to: 'b@example.com' }] = moves;
        fc.pre(first.to !== start.email && !moves[0]?.isVerifiedFirst);
        const back = { to: start.email, isConfirmed: false, isVerifiedFirst: false };
        const { state } = play(start, [...moves, back]);

        expect([undefined, start.email]).toContain(state.emailChain?.revertible);
      }),
    );
  });
});
