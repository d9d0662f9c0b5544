import type { SandboxReset } from '@kestrel/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { useScope } from '../../app/session.ts'
import { useAction } from '../../app/use-action.ts'
import { usdc } from '../../format/money.ts'
import { count } from '../../format/people.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { resetSandbox } from '../../server/account.ts'
import { under } from '../../server/queries.ts'

/** For admins, in sandbox. */
export function ResetSandbox() {
  const [isAsking, setAsking] = useState(false)
  return (
    <Card title="Reset the sandbox">
      <p className="mb-3 text-muted">
        Start again with the test money you began with. Payouts, statements, keys and people stay.
      </p>
      <Button onClick={() => setAsking(true)}>Reset the sandbox</Button>
      {isAsking ? <ResetDialog onClose={() => setAsking(false)} /> : null}
    </Card>
  )
}

function ResetDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const { slug } = useScope()
  const act = useAction(() => resetSandbox(), {
    done: inWords,
    // The balance, the pause, payouts and limits: whatever is shown of this sandbox may be different.
    onDone: () => {
      void client.invalidateQueries({ queryKey: [slug, 'sandbox'] })
      void client.invalidateQueries({ queryKey: under({ slug, environment: 'sandbox' }, 'members') })
      onClose()
    },
  })
  return (
    <Dialog
      title="Reset the sandbox?"
      description="Nothing real moves, and live is not touched."
      isOpen
      onClose={onClose}
    >
      <ul className="grid list-disc gap-1 pl-5">
        <li>Payouts that are under way are cancelled.</li>
        <li>The wallet holds what it began with. The statement shows the difference as a movement.</li>
        <li>A pause ends, and what was paid no longer counts against limits.</li>
      </ul>
      <p className="mt-3 text-sm text-muted">Nothing is deleted: past payouts, events and logs stay as they are.</p>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" busy={act.isPending ? 'Resetting…' : false} onClick={() => act.mutate(undefined)}>
          Reset
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function inWords({ usdc: held, payouts_cancelled: cancelled, payouts_under_way: left }: SandboxReset): string {
  const ended = cancelled === 0 ? '' : ` ${count(cancelled, 'payout')} cancelled.`
  const still = left === 0 ? '' : ` ${count(left, 'payout')} still under way.`
  return `The sandbox is reset. The wallet holds ${usdc(held)}.${ended}${still}`
}
