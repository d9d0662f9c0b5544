import { useQuery } from '@tanstack/react-query'

import { useScope } from '../../app/session.ts'
import { Card, Fact, Facts } from '../../parts/card.tsx'
import { accountQuery } from '../../server/queries.ts'

export function PriceList() {
  const prices = useQuery(accountQuery(useScope())).data?.prices
  return (
    <Card title="Prices">
      <Facts>
        <Fact term="Payout">{prices?.payout ?? '£0.99 plus 1.00%'}</Fact>
        <Fact term="Recipient">Free</Fact>
        <Fact term="Monthly account">{prices?.monthly_account ?? '£15.00'}</Fact>
        <Fact term="Business verification">£39.00, once</Fact>
        <Fact term="Network fees">Cost plus 10%, about 2p a payout</Fact>
        <Fact term="Returns, recalls, traces">Cost plus 20%, when they happen</Fact>
      </Facts>
      <p className="mt-3 text-sm text-muted">
        Only completed payouts are charged. Part of a payout’s fee travels with it; the rest is on the invoice of the
        1st.
      </p>
    </Card>
  )
}
