import type { Owner } from '../storage/owner.ts'

/**
 * Nobody need wait for the next look at a payout, nor for the end of a lease whose holder was killed. What a process has locked
 * this moment is left to it, so that the two never wait for each other: call it again until all is done.
 */
export async function hurry(owner: Owner): Promise<void> {
  await owner.query(
    `update payout_follow_ups set next_check_at = least(next_check_at, now()),
            lease_until = case when lease_until is null then null else now() - interval '1 second' end
      where payout_id in (select payout_id from payout_follow_ups for update skip locked)`,
  )
}

/** A lease lasts 30 s. Nobody is left who holds one, so nobody need wait for its end. */
export async function endAllLeases(owner: Owner): Promise<void> {
  await owner.query(
    `update payout_follow_ups set lease_until = now() - interval '1 second', next_check_at = now() - interval '1 second'
      where lease_until is not null`,
  )
}
