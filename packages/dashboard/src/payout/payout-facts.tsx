import type { Payout, PayoutTimeline } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'

import { useScope } from '../app/session.ts'
import { gbp, rate, usdc } from '../format/money.ts'
import { Fact, Facts } from '../parts/card.tsx'
import { Copyable } from '../parts/copy-button.tsx'
import { Time } from '../parts/time.tsx'
import { timelineQuery } from '../server/queries.ts'
import { isCharged } from './charge.ts'
import { type WalletMoney, whereMoneyIs } from './wallet-money.ts'

export function PayoutFacts({ payout }: { payout: Payout }) {
  const timeline = useQuery(timelineQuery(useScope(), payout.id)).data
  return (
    <Facts>
      <Fact term="Recipient">
        <bdi>{payout.recipient.name}</bdi> <span className="text-muted">··{payout.recipient.account_last4}</span>
      </Fact>
      <Fact term="Amount">{gbp(payout.amount_gbp)}</Fact>
      <Fee payout={payout} timeline={timeline} />
      <Fact term="Wallet sent">
        {usdc(payout.wallet_sent_usdc)}
        <WalletNow money={whereMoneyIs(payout.status, timeline)} />
      </Fact>
      {timeline === undefined ? null : <Fact term="Rate">{rate(timeline.quote.gbp_per_usd)}</Fact>}
      <Fact term="Reference">{payout.reference ?? <span className="text-muted">None</span>}</Fact>
      {payout.statement_reference == null ? null : (
        <Fact term="On the statement">
          <span className="font-mono text-sm">{payout.statement_reference}</span>
        </Fact>
      )}
      <Fact term="Created">
        <Time at={payout.created_at} as="full" />
      </Fact>
      <Fact term="Through">{payout.created_via === 'api' ? 'API' : 'Dashboard'}</Fact>
      <Fact term="Id">
        <Copyable text={payout.id} shown={`${payout.id.slice(0, 8)}…`} what="payout id" />
      </Fact>
      {timeline === undefined ? null : (
        <Fact term="Idempotency key">
          <Copyable text={timeline.idempotency_key} what="idempotency key" />
        </Fact>
      )}
    </Facts>
  )
}

function Fee({ payout, timeline }: { payout: Payout; timeline: PayoutTimeline | undefined }) {
  if (!isCharged(payout)) {
    return (
      <Fact term="Fee">
        Not charged
        <span className="block text-sm text-muted">{gbp(payout.fee_gbp)} if it had arrived</span>
      </Fact>
    )
  }
  return (
    <Fact term="Fee">
      {gbp(payout.fee_gbp)}
      {timeline === undefined ? null : (
        <span className="block text-sm text-muted">
          {gbp(timeline.quote.fee_in_transfer_gbp)} in the transfer, {gbp(timeline.quote.fee_on_invoice_gbp)} on the
          invoice
        </span>
      )}
    </Fact>
  )
}

function WalletNow({ money }: { money: WalletMoney }) {
  if (money === 'sent') return null
  return (
    <span className="block text-sm text-muted">
      {money === 'back' ? 'All of it is back in your wallet' : 'On its way back to your wallet'}
    </span>
  )
}
