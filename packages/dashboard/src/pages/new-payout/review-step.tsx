import type { Quote } from '@kestrel/contract'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'

import { SecondLook, wantsATick } from '../../payout/second-look.tsx'
import { useEnvironment } from '../../app/session.ts'
import { type Pause, usePause } from '../../app/use-pause.ts'
import { readSortCode, showSortCode, tidyPostcode } from '../../format/bank-details.ts'
import { gbp, isMore, readAmount, usdc } from '../../format/money.ts'
import type { Room } from '../../limits/amounts-draft.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/card.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Badge } from '../../parts/status-pill.tsx'
import { Time } from '../../parts/time.tsx'
import { OnTheBankStatement } from './amount-step.tsx'
import { type Draft, fullName } from './draft.ts'
import type { ShownOutcome } from './send-state.ts'
import { useOwnRoom } from './use-own-limits.ts'

interface ReviewProps {
  readonly draft: Draft
  readonly quote: Quote | undefined
  /** What the wallet lacks, in pounds; null when it has enough, or that is not known. */
  readonly missing: string | null
  readonly outcome: ShownOutcome | null
  /** What the button says while it cannot be pressed. */
  readonly busy: string | false
  readonly onSend: () => void
  /** Asks for the price once more, when there is none; null otherwise. */
  readonly onPriceAgain: (() => void) | null
  readonly onStartAgain: () => void
}

/** Everything in words once more, and a button that says exactly what it does. */
export function ReviewStep({ draft, quote, missing, outcome, busy, onSend, onPriceAgain, onStartAgain }: ReviewProps) {
  const isLive = useEnvironment() === 'live'
  const [ticked, setTicked] = useState<string | null>(null)
  const amount = gbp(readAmount(draft.amount) ?? '0.00')
  const label = `Send ${amount}`
  const warnings = quote?.warnings ?? []
  // The tick is for exactly these warnings: when they change, it must be given again.
  const said = JSON.stringify(warnings)
  const needsTick = isLive && wantsATick(warnings)
  const pause = usePause()
  const room = useOwnRoom()
  const isOver = room !== null && isMore(readAmount(draft.amount) ?? '0.00', room.left)
  const isHeldBack = pause !== null || isOver || missing !== null || (needsTick && ticked !== said)
  const isSecondTry = outcome?.kind === 'not_sent' || outcome?.kind === 'unknown'
  return (
    <div className="grid gap-4">
      <InWords draft={draft} quote={quote} amount={amount} />
      {outcome === null ? null : <OutcomeNotice outcome={outcome} onStartAgain={onStartAgain} />}
      <SecondLook warnings={warnings} />
      {needsTick ? <Tick isTicked={ticked === said} onTick={(isTicked) => setTicked(isTicked ? said : null)} /> : null}
      {missing === null ? null : <Missing pounds={missing} />}
      {pause === null ? null : <Paused pause={pause} />}
      {room !== null && isOver ? <OverLimit room={room} /> : null}
      {onPriceAgain === null ? null : <NoPrice onAgain={onPriceAgain} />}
      {outcome?.kind === 'reused' || onPriceAgain !== null ? null : (
        <div className="flex flex-wrap items-center gap-3">
          {isLive ? <Badge tone="live">Live</Badge> : null}
          <Button
            kind="primary"
            className="min-h-11 min-w-0 whitespace-normal"
            busy={busy}
            disabled={isHeldBack && busy === false}
            onClick={onSend}
          >
            {isSecondTry ? `Try again: ${label.charAt(0).toLowerCase()}${label.slice(1)}` : label}
          </Button>
        </div>
      )}
    </div>
  )
}

function Tick({ isTicked, onTick }: { isTicked: boolean; onTick: (isTicked: boolean) => void }) {
  return (
    <label className="flex items-start gap-2.5">
      <input
        type="checkbox"
        className="mt-1 accent-accent"
        checked={isTicked}
        onChange={(event) => onTick(event.target.checked)}
      />
      I have checked this, and want to pay all the same.
    </label>
  )
}

function Missing({ pounds }: { pounds: string }) {
  return (
    <Notice tone="warn" title={`You need ${gbp(pounds)} more`}>
      The wallet does not hold enough for this.{' '}
      <Link to="/funding" className="underline">
        Top up
      </Link>
    </Notice>
  )
}

function Paused({ pause }: { pause: Pause }) {
  return (
    <Notice tone="warn" title="Payouts are paused">
      Since <Time at={pause.paused_at} />, by {pause.paused_by}. Nothing can be sent until an admin resumes them on{' '}
      <Link to="/payouts" className="underline">
        Payouts
      </Link>
      .
    </Notice>
  )
}

function OverLimit({ room: { left, of, until } }: { room: Room }) {
  return (
    <Notice tone="warn" title="This is more than you may send">
      {until === 'per payout'
        ? `You may send ${gbp(of)} at once.`
        : `You may send ${gbp(left)} more ${until}, of ${gbp(of)}.`}{' '}
      Send less, or ask another admin to raise it on{' '}
      <Link to="/team" className="underline">
        Team
      </Link>
      .
    </Notice>
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
    <div className="grid min-w-0 gap-2 rounded-card bg-sunken p-4 wrap-anywhere">
      <p>
        <strong>{fullName(draft)}</strong>
        {draft.type === 'business' ? ', a business,' : ''} gets <strong className="num">{amount}</strong> in the{' '}
        {draft.bankName.trim()} account with sort code{' '}
        <span className="num font-medium">{showSortCode(readSortCode(draft.sortCode) ?? '')}</span> and number{' '}
        <span className="num font-medium">{draft.accountNumber}</span>.
      </p>
      <p className="text-muted">
        {[draft.line1, draft.line2, draft.city, tidyPostcode(draft.postcode)]
          .filter((line) => line.trim() !== '')
          .join(', ')}
      </p>
      {draft.reference.trim() === '' ? null : (
        <p>
          The reference is “{draft.reference.trim()}”. <OnTheBankStatement reference={draft.reference} />
        </p>
      )}
      {quote === undefined ? null : (
        <p className="num">
          Your wallet sends {usdc(quote.wallet_sends_usdc)}; the fee is {gbp(quote.fee_gbp)}. If the rate moves by more
          than 1% before it goes, nothing is sent.
        </p>
      )}
      {environment === 'sandbox' ? (
        <p className="text-muted">Sandbox: no real money moves.</p>
      ) : (
        <p className="flex items-start gap-2 font-medium text-ink">
          <Icon name="alert" className="mt-1" />
          Real money. A payout that is under way usually cannot be called back.
        </p>
      )}
    </div>
  )
}

function OutcomeNotice({ outcome, onStartAgain }: { outcome: ShownOutcome; onStartAgain: () => void }) {
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
