import { useState } from 'react'

import { useEnvironment, useIsAdmin, useIsVerified } from '../../app/session.ts'
import { useAction } from '../../app/use-action.ts'
import { usePause } from '../../app/use-pause.ts'
import { useDoor } from '../../codes/use-door.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { pausePayouts, resumePayouts } from '../../server/account.ts'

/** Stops all payouts of this environment, and lets them go out again. */
export function PauseSwitch() {
  const isAdmin = useIsAdmin()
  const isVerified = useIsVerified()
  const pause = usePause()
  if (!isAdmin || !isVerified) return null
  return pause === null ? <PauseButton /> : <ResumeButton />
}

function PauseButton() {
  const environment = useEnvironment()
  const [isOpen, setOpen] = useState(false)
  const act = useAction(() => pausePayouts(environment), {
    done: `All ${environment} payouts are paused.`,
    refresh: ['account'],
    onDone: () => setOpen(false),
  })
  return (
    <>
      <Button onClick={() => setOpen(true)}>Pause payouts</Button>
      <Dialog
        title={`Pause all ${environment} payouts?`}
        description="No new payout is made, by anybody or any key, until an admin resumes. Payouts that are under way go on. Every admin gets a mail."
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <DialogActions>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button
            kind="danger"
            busy={act.isPending ? 'Pausing…' : false}
            onClick={() => (act.isPending ? undefined : act.mutate(undefined))}
          >
            Pause all payouts
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}

function ResumeButton() {
  const environment = useEnvironment()
  const act = useDoor({
    door: environment === 'live' ? { action: 'payouts.resume', environment } : null,
    verb: 'Resume payouts',
    run: (code) => resumePayouts(environment, code),
    done: `${environment === 'live' ? 'Live' : 'Sandbox'} payouts go out again.`,
    refresh: ['account'],
  })
  return (
    <>
      <Button busy={act.isPending ? 'Resuming…' : false} onClick={act.start}>
        Resume payouts
      </Button>
      {act.dialog}
    </>
  )
}
