import { useQuery } from '@tanstack/react-query'

import { Loaded } from '../../app/loaded.tsx'
import { useScope } from '../../app/session.ts'
import { Card, Fact, Facts } from '../../parts/card.tsx'
import { accountQuery } from '../../server/queries.ts'

const PRICES = [
  ['payout', 'Payout'],
  ['monthly_account', 'Monthly account'],
  ['business_verification', 'Business verification'],
  ['network_fees', 'Network fees'],
  ['bank_exceptions', 'Bank exceptions'],
] as const

/** The API writes 0.99 GBP; everything else here is written £0.99, and begins with a capital. */
const inPounds = (price: string) =>
  price.replaceAll(/(\d[\d.,]*) GBP/g, '£$1').replace(/^[a-z]/, (letter) => letter.toUpperCase())

export function PriceList() {
  const account = useQuery(accountQuery(useScope()))
  return (
    <Card title="Prices">
      <Loaded query={account} isSmall>
        {({ prices }) => (
          <Facts>
            {PRICES.map(([name, term]) =>
              prices[name] === undefined ? null : (
                <Fact key={name} term={term}>
                  {inPounds(prices[name])}
                </Fact>
              ),
            )}
          </Facts>
        )}
      </Loaded>
      <p className="mt-3 text-sm text-muted">
        Only completed payouts are charged. Part of a payout’s fee travels with it; the rest is on the invoice of the
        1st. Bank exceptions are returns, recalls and traces; a return is charged once its money is back. “Cost” is what
        the bank charges us.
      </p>
    </Card>
  )
}
