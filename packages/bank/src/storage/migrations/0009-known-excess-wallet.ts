import { EXCESS_WALLET_ID } from '../../core/ids.ts'

/** Also after everything was forgotten. */
export const OPEN_EXCESS_WALLET = `
insert into wallets (id, customer_id, chain, address, is_first, created_at, updated_at)
select excess_wallet_id, null, 'base', '0x${'e'.repeat(40)}', false, now(), now() from bank_state
on conflict (id) do nothing`

/** The developer's own wallet has the same id in every bank of ours, so that nobody has to look it up. */
export const KNOWN_EXCESS_WALLET = `
alter table bank_state alter column excess_wallet_id set default '${EXCESS_WALLET_ID}';

update bank_state set excess_wallet_id = default
 where not exists (select from wallets where id = bank_state.excess_wallet_id);
${OPEN_EXCESS_WALLET};
`
