import type { Payout } from '@kestrel/contract'
import { UNDER_WAY } from '@kestrel/contract/payout-status'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { describeChangeFailure } from '../../app/failure.ts'
import { useScope } from '../../app/session.ts'
import { useAction } from '../../app/use-action.ts'
import { gbp } from '../../format/money.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { ApiError } from '../../server/client.ts'
import { cancelPayout } from '../../server/payouts.ts'
import { AFTER_OWN_CHANGE, timelineQuery } from '../../server/queries.ts'

const TOO_LATE = 'The bank has taken the money already, so the payout can no longer be stopped. Nothing was changed.'

/** Offered only while it can work. When it no longer can, a question that is open says so instead of vanishing. */
export function CancelPayout({ payout }: { payout: Payout }) {
  const [isAsking, setAsking] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const scope = useScope()
  const timeline = useQuery(timelineQuery(scope, payout.id)).data
  const act = useAction(() => cancelPayout(scope.environment, payout.id), {
    done: 'The payout was cancelled. The money is back in your wallet.',
    refresh: AFTER_OWN_CHANGE,
    onDone: () => setAsking(false),
    onFailure: (error) => {
      const isTooLate = error instanceof ApiError && error.code === 'payout_not_cancellable'
      setRefusal(isTooLate ? TOO_LATE : describeChangeFailure(error).message)
    },
  })
  const canBe = UNDER_WAY.has(payout.status) && timeline?.is_cancellable === true
  if (!canBe && !isAsking) return null
  const said = refusal ?? (canBe || act.isPending ? null : TOO_LATE)
  const close = () => {
    setAsking(false)
    setRefusal(null)
  }
  return (
    <>
      {canBe ? (
        <Button kind="danger" onClick={() => setAsking(true)}>
          Cancel payout
        </Button>
      ) : null}
      <Dialog
        title={said === null ? `Cancel ${gbp(payout.amount_gbp)} to ${payout.recipient.name}?` : 'Not cancelled'}
        description={
          said ?? 'If the bank has not taken the money yet, nothing is charged and it is back in your wallet.'
        }
        isOpen={isAsking}
        onClose={close}
      >
        <DialogActions>
          <Button onClick={close}>{said === null ? 'Keep it' : 'Close'}</Button>
          {said === null ? (
            <Button kind="danger" busy={act.isPending ? 'Cancelling…' : false} onClick={() => act.mutate(undefined)}>
              Cancel the payout
            </Button>
          ) : null}
        </DialogActions>
      </Dialog>
    </>
  )
}
