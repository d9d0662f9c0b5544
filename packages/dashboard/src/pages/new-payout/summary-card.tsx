import type { Quote } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { describeFailure } from '../../app/failure.ts'
import { linkClass } from '../../app/page.tsx'
import { useScope } from '../../app/session.ts'
import { gbp, isMore, lessMoney, rate, usdc } from '../../format/money.ts'
import { poundsHeld, poundsNeeded } from '../../format/pounds.ts'
import { Card, Fact, Facts, Notice } from '../../parts/card.tsx'
import { balanceQuery } from '../../server/queries.ts'
import type { Pricing } from '../../payout/use-quote.ts'

/** Always in view: what it costs, as far as it is known. */
export function SummaryCard({ pricing: { quote, error, isCurrent } }: { pricing: Pricing }) {
  return (
    <Card title="Summary" className="lg:sticky lg:top-[calc(var(--bars)+1rem)]">
      {error === null ? null : <Notice tone="warn">{describeFailure(error).message}</Notice>}
      {quote === undefined ? (
        error === null ? (
          <p className="text-muted">Enter an amount to see what it costs.</p>
        ) : null
      ) : (
        // Quieter while it is asked anew, and still to be read: half transparent it could not be.
        <div aria-busy={!isCurrent} className={isCurrent ? '' : 'text-muted'}>
          <Costs quote={quote} />
        </div>
      )}
    </Card>
  )
}

function Costs({ quote }: { quote: Quote }) {
  const balance = useQuery(balanceQuery(useScope())).data
  const { gbp_per_usd: gbpPerUsd } = quote.exchange_rate
  const isShort = balance !== undefined && isMore(quote.wallet_sends_usdc, balance.usdc)
  return (
    <>
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
        {balance === undefined || isShort ? null : (
          <WalletAfter left={lessMoney(balance.usdc, quote.wallet_sends_usdc)} gbpPerUsd={gbpPerUsd} />
        )}
        <Fact term="Rate">{rate(gbpPerUsd)}</Fact>
      </Facts>
      {isShort ? <Shortfall missing={lessMoney(quote.wallet_sends_usdc, balance.usdc)} gbpPerUsd={gbpPerUsd} /> : null}
    </>
  )
}

interface InPoundsProps {
  /** Pounds per dollar, from the quote that is shown. */
  readonly gbpPerUsd: number
}

function WalletAfter({ left, gbpPerUsd }: InPoundsProps & { left: string }) {
  return (
    <Fact term="Wallet after">
      {usdc(left)}
      <span className="block text-sm text-muted">about {gbp(poundsHeld(left, gbpPerUsd))}</span>
    </Fact>
  )
}

function Shortfall({ missing, gbpPerUsd }: InPoundsProps & { missing: string }) {
  return (
    <div className="mt-3">
      <Notice tone="warn" title={`You need about ${gbp(poundsNeeded(missing, gbpPerUsd))} more`}>
        <p className="num">That is {usdc(missing)} more than the wallet holds.</p>
        <Link to="/funding" className={`${linkClass} text-current underline`}>
          Top up the wallet
        </Link>
      </Notice>
    </div>
  )
}
