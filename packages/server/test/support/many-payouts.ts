// Payouts by the thousand, straight into the table: for what only shows when there are many.
type Query = (text: string, values: readonly unknown[]) => Promise<unknown>

export interface ManyPayouts {
  readonly count: number
  /** The newest is created at this moment, each other one a second before. */
  readonly newest: Date
  /** At rest without a trace in the ledger, unless told otherwise, so that the books stay right. */
  readonly status?: 'failed' | 'completed'
}

/** The amounts go from 1.00 to 50.99 and round again; one in a thousand is to Zebedee Quill, ending 4321. */
export async function manyPayouts(query: Query, partnerId: string, many: ManyPayouts): Promise<void> {
  await query(
    `insert into payouts (
       partner_id, environment, id, idempotency_key, fingerprint, created_via, amount_pence, country, reference,
       recipient_name, account_last4, recipient_sealed, recipient_fingerprint, gbp_per_usd, fee_pence,
       fee_in_transfer_pence, fee_on_invoice_pence, wallet_sends_micro, status, failure_reason, refund_state,
       created_at, updated_at, completed_at, surfaced_at, rail, send_state)
     select $1, 'sandbox', gen_random_uuid(), 'many-payouts-' || n, sha256(n::text::bytea),
            case when n % 10 = 0 then 'dashboard' else 'api' end, 100 + n % 5000, 'GB', 'Order ' || n,
            case when n % 1000 = 7 then 'Zebedee Quill' else 'Amara Okafor' end,
            case when n % 1000 = 7 then '4321' else '5678' end,
            '\\x00', sha256((n % 50)::text::bytea), 0.79, 124, 33, 91, 32070000,
            $4, case when $4 = 'failed' then 'Made for a test.' end, case when $4 = 'failed' then 'done' else 'none' end,
            at, at, case when $4 = 'completed' then at end, at, 'simulated', 'accepted'
       from generate_series(0, $2::int - 1) n, lateral (select $3::timestamptz - n * interval '1 second' as at) moment`,
    [partnerId, many.count, many.newest, many.status ?? 'failed'],
  )
}
