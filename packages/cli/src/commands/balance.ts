import type { Context } from '../command.ts'

export async function run(context: Context): Promise<void> {
  const kestrel = await context.client()
  const balance = await kestrel.balance.retrieve({ signal: context.around.signal })
  const { runway } = balance
  context.out.record(balance, [
    ['Wallet', `${balance.usdc} USDC`],
    ['About', `${balance.approx_gbp} GBP at ${balance.gbp_per_usd}`],
    ['Lasts', runway === null ? null : `${runway.days} days, or ${runway.payouts} payouts`],
    [
      'To top up',
      runway === null || runway.suggested_top_up_usdc === '0.00' ? null : `${runway.suggested_top_up_usdc} USDC`,
    ],
  ])
}
