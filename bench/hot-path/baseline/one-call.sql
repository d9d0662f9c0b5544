\set pence random(100, 4000)
\set micro :pence * 12700
\set number random(1, 1000000000000)
select base_create_payout(1, 'order-' || :number, :pence, :micro);
