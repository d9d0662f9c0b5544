import { invalidParameters } from '../../core/bank-error.ts'
import { readRate } from '../../storage/bank-state.ts'
import { textFrom } from '../read-query.ts'
import type { RouteContext } from '../route-context.ts'

/** One pair, and no spread: the bank's share is on the receipt instead. */
export function addExchangeRateRoutes({ app, deps }: RouteContext): void {
  app.get('/exchange_rates', async (request) => {
    const wrong = [
      ...(textFrom(request, 'from') === 'usd' ? [] : ['from']),
      ...(textFrom(request, 'to') === 'gbp' ? [] : ['to']),
    ]
    if (wrong.length > 0) throw invalidParameters('query', wrong, 'The sandbox bank knows from=usd and to=gbp only.')
    const { text } = await readRate(deps.db)
    return { midmarket_rate: text, buy_rate: text, sell_rate: text }
  })
}
