/** Refusals are kept under their keys too, and a client's reference may come again. */
export const STRICT_ANSWERS = `
alter table idempotency_keys drop constraint idempotency_keys_status_check;
alter table idempotency_keys add constraint idempotency_keys_status_check check (status between 200 and 499);

alter table transfers drop constraint one_transfer_per_client_reference;
create index transfers_by_client_reference on transfers (client_reference_id);
`
