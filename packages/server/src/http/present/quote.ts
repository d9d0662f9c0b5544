import type { Quote as QuoteBody } from '@kestrel/contract'

import { formatPence, formatUsdcSent } from '../../core/money.ts'
import type { Quote } from '../../domain/quotes/quote.ts'
import { rateAsNumber } from './rate.ts'

export function presentQuote(quote: Quote): QuoteBody {
  return {
    object: 'quote',
    country: 'GB',
    seller_receives_gbp: formatPence(quote.amount),
    fee_gbp: formatPence(quote.fee.total),
    wallet_sends_usdc: formatUsdcSent(quote.walletSends),
    exchange_rate: { gbp_per_usd: rateAsNumber(quote.rate) },
    fee_breakdown: {
      taken_in_transfer_gbp: formatPence(quote.fee.inTransfer),
      on_monthly_invoice_gbp: formatPence(quote.fee.onInvoice),
    },
  }
}
