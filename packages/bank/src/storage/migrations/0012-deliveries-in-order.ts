/** The next deliveries are found by their place in the queue, without a look at all that wait. */
export const DELIVERIES_IN_ORDER = `
create index deliveries_in_order on deliveries (event_seq) where state = 'waiting';

-- It was for those who look for what is due, in whatever order.
drop index deliveries_due;

-- Each is rewritten when it is leased: there is room for that beside it, and no index hears of it.
alter table deliveries set (fillfactor = 60);
`
