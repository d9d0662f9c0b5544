import { amountOf } from '../amount.ts'
import type { Context } from '../command.ts'

export async function run(context: Context): Promise<void> {
  const amount = amountOf(context.args[0]!)
  const kestrel = await context.client()
  const quote = await kestrel.quotes.create({ amount_gbp: amount }, { signal: context.around.signal })
  context.out.record(quote, [
    ['Recipient gets', `${quote.seller_receives_gbp} GBP`],
    ['Fee', `${quote.fee_gbp} GBP`],
    ['Wallet sends', `${quote.wallet_sends_usdc} USDC`],
    ['Rate', `${quote.exchange_rate.gbp_per_usd} GBP per USD`],
  ])
}
