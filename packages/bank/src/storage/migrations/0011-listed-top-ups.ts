/** What is added to a transfer is a transfer too, in the same list and in the same order. */
export const LISTED_TOP_UPS = `
alter table top_ups add column seq bigint not null unique
  default nextval(pg_get_serial_sequence('transfers', 'seq')::regclass);

create view listed_transfers as
  select seq, id, customer_id, client_reference_id, state, updated_at, visible_from, false as is_top_up from transfers
  union all
  select t.seq, t.id, w.customer_id, null, 'payment_processed', t.created_at, t.created_at, true
    from top_ups t join wallets w on w.id = t.wallet_id;
`
