import type { Quote } from '@kestrel/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { useEnvironment } from '../../app/session.ts'
import { readSortCode, showSortCode, tidyPostcode } from '../../format/bank-details.ts'
import { gbp, readAmount, usdc } from '../../format/money.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/card.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { type Draft, fullName } from './draft.ts'
import type { SendOutcome } from './send-outcome.ts'

interface ReviewProps {
  readonly draft: Draft
  readonly quote: Quote | undefined
  readonly isShort: boolean
  readonly outcome: SendOutcome | null
  /** What the button says while it cannot be pressed. */
  readonly busy: string | false
  readonly onSend: () => void
  /** Asks for the price once more, when there is none; null otherwise. */
  readonly onPriceAgain: (() => void) | null
  readonly onStartAgain: () => void
}

/** Everything in words once more, and a button that says exactly what it does. */
export function ReviewStep({ draft, quote, isShort, outcome, busy, onSend, onPriceAgain, onStartAgain }: ReviewProps) {
  const amount = gbp(readAmount(draft.amount) ?? '0.00')
  const label = `Send ${amount} to ${fullName(draft)}`
  const isSecondTry = outcome?.kind === 'not_sent' || outcome?.kind === 'unknown'
  return (
    <div className="grid gap-4">
      <InWords draft={draft} quote={quote} amount={amount} />
      {outcome === null ? null : <OutcomeNotice outcome={outcome} onStartAgain={onStartAgain} />}
      {isShort ? (
        <Notice tone="warn">
          The wallet does not hold enough for this.{' '}
          <Link to="/funding" className="underline">
            Top up
          </Link>
        </Notice>
      ) : null}
      {onPriceAgain === null ? null : <NoPrice onAgain={onPriceAgain} />}
      {outcome?.kind === 'reused' || onPriceAgain !== null ? null : (
        <div>
          <Button kind="primary" className="min-h-11 whitespace-normal" busy={busy} onClick={onSend}>
            {isSecondTry ? `Try again: ${label.charAt(0).toLowerCase()}${label.slice(1)}` : label}
          </Button>
        </div>
      )}
    </div>
  )
}

function NoPrice({ onAgain }: { onAgain: () => void }) {
  return (
    <div role="alert">
      <Notice tone="warn" title="There is no price at the moment">
        <p className="mb-3">Nothing is sent without one. Try again in a moment.</p>
        <Button icon="refresh" onClick={onAgain}>
          Get the price again
        </Button>
      </Notice>
    </div>
  )
}

function InWords({ draft, quote, amount }: { draft: Draft; quote: Quote | undefined; amount: string }) {
  const environment = useEnvironment()
  return (
    <div className="grid gap-2 rounded-card bg-sunken p-4">
      <p>
        <strong>{fullName(draft)}</strong>
        {draft.type === 'business' ? ', for a business,' : ''} gets <strong className="num">{amount}</strong> in the{' '}
        {draft.bankName.trim()} account with sort code{' '}
        <span className="num font-medium">{showSortCode(readSortCode(draft.sortCode) ?? '')}</span> and number{' '}
        <span className="num font-medium">{draft.accountNumber}</span>.
      </p>
      <p className="text-muted">
        {[draft.line1, draft.line2, draft.city, tidyPostcode(draft.postcode)]
          .filter((line) => line.trim() !== '')
          .join(', ')}
      </p>
      {draft.reference.trim() === '' ? null : <p>The reference is “{draft.reference.trim()}”.</p>}
      {quote === undefined ? null : (
        <p className="num">
          Your wallet sends {usdc(quote.wallet_sends_usdc)}; the fee is {gbp(quote.fee_gbp)}. If the rate moves by more
          than 1% before it goes, nothing is sent.
        </p>
      )}
      <p className="text-muted">
        {environment === 'sandbox'
          ? 'Sandbox: no real money moves.'
          : 'Real money. A payout that is under way usually cannot be called back.'}
      </p>
    </div>
  )
}

function OutcomeNotice({ outcome, onStartAgain }: { outcome: SendOutcome; onStartAgain: () => void }) {
  switch (outcome.kind) {
    case 'not_sent':
      return (
        <Failed title="The bank did not answer. Nothing was sent." requestId={outcome.requestId}>
          Your money is where it was. Try again: the same payout is asked for, never a second one.
        </Failed>
      )
    case 'unknown':
      return (
        <Failed title="We do not know yet whether it went." requestId={outcome.requestId}>
          The answer did not reach us. Trying again is safe: it is the same payout, and it cannot be paid twice.
        </Failed>
      )
    case 'reused':
      return (
        <Failed title="This form has already sent a payout, with other details." requestId={null}>
          It was not sent a second time.{' '}
          {outcome.payoutId === null ? null : (
            <Link to="/payouts/$id" params={{ id: outcome.payoutId }} className="underline">
              See that payout
            </Link>
          )}{' '}
          <button type="button" className="underline" onClick={onStartAgain}>
            Start a new one
          </button>
        </Failed>
      )
    case 'refused':
      return (
        <Failed title="Nothing was sent." requestId={outcome.error.requestId}>
          {outcome.error.message}
        </Failed>
      )
    case 'code':
      return null
  }
}

function Failed({ title, requestId, children }: { title: string; requestId: string | null; children: ReactNode }) {
  return (
    <div role="alert">
      <Notice tone="bad" title={title}>
        <p>{children}</p>
        {requestId === null ? null : (
          <p className="text-sm">
            Request <Copyable text={requestId} what="request id" />
          </p>
        )}
      </Notice>
    </div>
  )
}
