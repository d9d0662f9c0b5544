-- Indexes that take less room: those by a word have a hash in place of partner, environment and word, as events by their type have, and
-- those whose entries come in two or three goes leave room for the later ones, so that their pages are not split in halves.

-- step, outside a transaction: built while everybody works, and anew if it was left half-built.
-- What a recipient was paid before: historyJoins.
drop index concurrently if exists payout_recipients_of_account;
create index concurrently payout_recipients_of_account on payout_recipients
  ((hashtextextended(encode(account_mark, 'hex'), uuid_hash_extended(partner_id, case environment when 'live' then 1 else 0 end))),
   amount_pence, created_at);
drop index concurrently if exists payout_recipients_account;
drop index concurrently if exists payout_recipients_of_name;
create index concurrently payout_recipients_of_name on payout_recipients
  ((hashtextextended(encode(name_mark, 'hex'), uuid_hash_extended(partner_id, case environment when 'live' then 1 else 0 end))),
   created_at);
drop index concurrently if exists payout_recipients_name;
-- list_payouts_reference.
drop index concurrently if exists payouts_of_reference;
create index concurrently payouts_of_reference on payouts
  ((hashtextextended(reference, uuid_hash_extended(partner_id, case environment when 'live' then 1 else 0 end))), created_at, id)
  where reference is not null and released_at is null;
drop index concurrently if exists payouts_by_reference;
-- A search of the log for an id: its first bytes, which are the moment that it was made at.
drop index concurrently if exists request_bodies_of_subject;
create index concurrently request_bodies_of_subject on request_bodies
  (substr(uuid_send(subject_id), 1, 7), at) where subject_id is not null;
drop index concurrently if exists request_bodies_by_subject;
-- The movements of a wallet, with what adds up to a balance: what else they say is in the rows, which are read for it anyway.
drop index concurrently if exists ledger_entries_in_order;
create index concurrently ledger_entries_in_order on ledger_entries (partner_id, environment, at, id)
  include (amount, from_account) with (fillfactor = 100) where from_account = 'available' or to_account = 'available';
drop index concurrently if exists ledger_entries_of_wallet;

-- step: for what is written from now on.
-- Two events of a payout come at once and the third when it ends.
alter index events_of_subject set (fillfactor = 60);
-- Ids of events are made under the wallet's lock, in their order; links are made in the order of the log.
alter index events_pkey set (fillfactor = 100);
alter index activity_links_by_entry set (fillfactor = 100);
