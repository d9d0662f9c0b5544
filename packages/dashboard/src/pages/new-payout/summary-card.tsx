import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { describeFailure } from '../../app/failure.ts'
import { linkClass } from '../../app/page.tsx'
import { useScope } from '../../app/session.ts'
import { gbp, isMore, lessMoney, rate, usdc } from '../../format/money.ts'
import { Card, Fact, Facts, Notice } from '../../parts/card.tsx'
import { balanceQuery } from '../../server/queries.ts'
import type { LiveQuote } from './use-quote.ts'

/** Always in view: what it costs, as far as it is known. */
export function SummaryCard({ live: { quote, error, isCurrent } }: { live: LiveQuote }) {
  const balance = useQuery(balanceQuery(useScope())).data
  return (
    <Card title="Summary" className="lg:sticky lg:top-[calc(var(--bars)+1rem)]">
      {error === null ? null : <Notice tone="warn">{describeFailure(error).message}</Notice>}
      {quote === undefined ? (
        error === null ? (
          <p className="text-muted">Enter an amount to see what it costs.</p>
        ) : null
      ) : (
        <div aria-busy={!isCurrent} className={isCurrent ? '' : 'opacity-60'}>
          <Facts>
            <Fact term="Recipient gets">
              <span className="font-semibold">{gbp(quote.seller_receives_gbp)}</span>
            </Fact>
            <Fact term="Fee">
              {gbp(quote.fee_gbp)}
              <span className="block text-sm text-muted">
                {gbp(quote.fee_breakdown.taken_in_transfer_gbp)} in the transfer
                <br />
                {gbp(quote.fee_breakdown.on_monthly_invoice_gbp)} on the invoice
              </span>
            </Fact>
            <Fact term="Wallet sends">{usdc(quote.wallet_sends_usdc)}</Fact>
            {balance === undefined ? null : (
              <Fact term="Wallet after">{usdc(lessMoney(balance.usdc, quote.wallet_sends_usdc))}</Fact>
            )}
            <Fact term="Rate">{rate(quote.exchange_rate.gbp_per_usd)}</Fact>
          </Facts>
          {balance !== undefined && isMore(quote.wallet_sends_usdc, balance.usdc) ? (
            <Shortfall missing={lessMoney(quote.wallet_sends_usdc, balance.usdc)} />
          ) : null}
        </div>
      )}
    </Card>
  )
}

function Shortfall({ missing }: { missing: string }) {
  return (
    <div className="mt-3">
      <Notice tone="warn" title={`You need ${usdc(missing)} more`}>
        <Link to="/funding" className={`${linkClass} text-current underline`}>
          Top up the wallet
        </Link>
      </Notice>
    </div>
  )
}
