/** A list says which version of each row it means: what has not changed since it was last shown is not read again. */
export const VERSIONS_OF_TRANSFERS = `
create or replace view listed_transfers as
  select seq, id, customer_id, client_reference_id, state, updated_at, visible_from, false as is_top_up,
         transfers.xmin::text as version
    from transfers
  union all
  select t.seq, t.id, w.customer_id, null, 'payment_processed', t.created_at, t.created_at, true, null
    from top_ups t join wallets w on w.id = t.wallet_id;
`
