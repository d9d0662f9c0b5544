\set pence random(100, 4000)
\set micro :pence * 12700
\set number random(1, 1000000000000)
begin;
select balance from base_wallets where id = 1 for update;
select id from base_payouts where wallet_id = 1 and idempotency_key = 'order-' || :number;
insert into base_payouts (wallet_id, idempotency_key, amount_pence, fee_pence, wallet_sends, reference, recipient_name, account_last4, recipient_sealed, status) values (1, 'order-' || :number, :pence, 124, :micro, 'Invoice 1042', 'Amara Okafor', '5678', decode(repeat('ab', 200), 'hex'), 'processing') returning id \gset made_
update base_wallets set balance = balance - :micro, version = version + 1 where id = 1;
insert into base_entries (payout_id, account, amount) values (:made_id, 'available', - :micro::bigint);
insert into base_entries (payout_id, account, amount) values (:made_id, 'held', :micro::bigint);
insert into base_entries (payout_id, account, amount) values (:made_id, 'held', - :micro::bigint);
insert into base_entries (payout_id, account, amount) values (:made_id, 'at_bank', :micro::bigint);
insert into base_audit (wallet_id, payout_id, action) values (1, :made_id, 'payout.create');
commit;
