import { useQuery } from '@tanstack/react-query'

import { Loaded } from '../../app/loaded.tsx'
import { useScope } from '../../app/session.ts'
import { Card, Fact, Facts } from '../../parts/card.tsx'
import { accountQuery } from '../../server/queries.ts'

export function PriceList() {
  const account = useQuery(accountQuery(useScope()))
  return (
    <Card title="Prices">
      <Loaded query={account} isSmall>
        {({ prices }) => (
          <Facts>
            {prices.payout === undefined ? null : <Fact term="Payout">{prices.payout}</Fact>}
            {prices.monthly_account === undefined ? null : <Fact term="Monthly account">{prices.monthly_account}</Fact>}
            <Fact term="Recipient">Free</Fact>
            <Fact term="Business verification">39.00 GBP, once</Fact>
            <Fact term="Network fees">Cost + 10%, about 0.02 GBP a payout</Fact>
            <Fact term="Bank exceptions">Cost + 20%, when they happen</Fact>
          </Facts>
        )}
      </Loaded>
      <p className="mt-3 text-sm text-muted">
        Only completed payouts are charged. Part of a payout’s fee travels with it; the rest is on the invoice of the
        1st. Bank exceptions are returns, recalls and traces. The last three are those of the price list: where you
        agreed on others, the invoice has yours.
      </p>
    </Card>
  )
}
