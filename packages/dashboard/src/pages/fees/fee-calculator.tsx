import { useState } from 'react'

import { describeFailure } from '../../app/failure.ts'
import { gbp, usdc } from '../../format/money.ts'
import { Card, Fact, Facts } from '../../parts/card.tsx'
import { Field } from '../../parts/field.tsx'
import { useQuote } from '../../payout/use-quote.ts'

/** The server's own quote: the page never computes a price. */
export function FeeCalculator() {
  const [typed, setTyped] = useState('150.00')
  const { quote, error, isCurrent } = useQuote(typed)
  return (
    <Card title="Fee calculator">
      <Field
        label="A payout of"
        prefix="£"
        inputMode="decimal"
        className="max-w-56"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={error === null ? undefined : describeFailure(error).message}
      />
      <div aria-live="polite" aria-busy={!isCurrent} className="mt-3 min-h-36">
        {quote === undefined ? (
          <p className="text-muted">Enter an amount in pounds.</p>
        ) : (
          <Facts>
            <Fact term="Fee">
              <strong>{gbp(quote.fee_gbp)}</strong>
            </Fact>
            <Fact term="In the transfer">{gbp(quote.fee_breakdown.taken_in_transfer_gbp)}</Fact>
            <Fact term="On the monthly invoice">{gbp(quote.fee_breakdown.on_monthly_invoice_gbp)}</Fact>
            <Fact term="Wallet sends">{usdc(quote.wallet_sends_usdc)}</Fact>
          </Facts>
        )}
      </div>
    </Card>
  )
}
