// The part of reserving that says what is worth a second look (reserve-new-payouts.ts): the same as `warningsOf` with
// `BatchHistory` says (domain/payouts/warn); a test compares the two.
const SHOWN = (moment: string) => `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** In SQL: a list with one warning if the condition holds, else an empty one. */
const warning = (code: string, given: { when: string; id: string; last4: string; at: string }) =>
  `case when ${given.when} then jsonb_build_array(jsonb_build_object('code', '${code}', 'payout_id', ${given.id},
      'account_last4', ${given.last4}, 'at', ${given.at})) else '[]'::jsonb end`

/**
 * In SQL: the rows of `decided` as `item`, each with what was reserved before it in the same batch. A batch in which nobody is
 * paid twice has nothing of the kind, and is not sorted four times to find that out.
 */
export const inItsBatch = (areRelated: boolean): string =>
  areRelated
    ? `(select decided.*,
                lag(id) over person as batch_person, lag(account_last4) over person as batch_person_last4,
                lag(id) over twin as batch_twin,
                row_number() over account > 1 as is_batch_account, row_number() over pair > 1 as is_batch_pair
           from decided
         window person as (partition by outcome, partner_id, name_mark_0 order by place),
                account as (partition by outcome, partner_id, account_mark_0 order by place),
                pair as (partition by outcome, partner_id, account_mark_0, name_mark_0 order by place),
                twin as (partition by outcome, partner_id, account_mark_0, amount_pence order by place)) item`
    : 'decided item'

/** In SQL: the warnings of an `item` with its `historyJoins`; null if there are none. */
export function warningsIn(areRelated: boolean): string {
  const either = (inBatch: string, before: string) => (areRelated ? `coalesce(${inBatch}, ${before})` : before)
  const any = (inBatch: string, before: string) => (areRelated ? `${inBatch} or ${before}` : before)
  const ofEither = (named: string, { inBatch, before }: { inBatch: string; before: string }) =>
    areRelated ? `case when item.${named} is null then ${before} else ${inBatch} end` : before
  const isPair = any('item.is_batch_pair', 'coalesce(person.is_pair, false)')
  const person = either('item.batch_person', 'person.id')
  const twin = either('item.batch_twin', 'twin.id')
  return `nullif(${warning('recipient_account_changed', {
    when: `${person} is not null and not (${isPair} or pair.id is not null)`,
    id: person,
    last4: ofEither('batch_person', { inBatch: 'item.batch_person_last4', before: 'person.account_last4' }),
    at: SHOWN(ofEither('batch_person', { inBatch: '$3::timestamptz', before: 'person.created_at' })),
  })} || ${warning('possible_duplicate', {
    when: `${twin} is not null`,
    id: twin,
    last4: ofEither('batch_twin', { inBatch: 'item.account_last4', before: 'twin.account_last4' }),
    at: SHOWN(ofEither('batch_twin', { inBatch: '$3::timestamptz', before: 'twin.created_at' })),
  })} || ${warning('first_payment_to_account', {
    when: `not (${any('item.is_batch_account', 'coalesce(person.is_pair, false)')} or account.id is not null)`,
    id: 'null::uuid',
    last4: 'item.account_last4',
    at: 'null::text',
  })}, '[]'::jsonb)`
}
