-- A worker takes the leases of up to 256 payouts at once, and those lie side by side. With a third of each page left free, two thirds
-- of them moved to other pages, and each wrote to all three indexes. The rows come and go, so that the room costs nothing.

-- step: more room on pages from now on.
alter table payout_follow_ups set (fillfactor = 40);
