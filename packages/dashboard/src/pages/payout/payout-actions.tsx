import type { Payout } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'

import { buttonClass } from '../../app/page.tsx'
import { useIsAdmin, useScope, useSession } from '../../app/session.ts'
import { useAction } from '../../app/use-action.ts'
import { gbp } from '../../format/money.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Menu, MenuItem, MenuLabel } from '../../parts/menu.tsx'
import { statusWord } from '../../parts/status-pill.tsx'
import { WhoCan } from '../../parts/states.tsx'
import { cancelPayout, receiptAddress, simulate } from '../../server/payouts.ts'
import { AFTER_OWN_CHANGE, timelineQuery } from '../../server/queries.ts'
import type { Outcome } from '../../server/shapes.ts'

export function PayoutActions({ payout }: { payout: Payout }) {
  const { partner } = useSession()
  const isAdmin = useIsAdmin()
  const { environment } = useScope()
  const receipt = (
    <a href={receiptAddress(environment, payout.id)} download className={buttonClass()}>
      <Icon name="download" size={16} />
      PDF
    </a>
  )
  if (!isAdmin) {
    return (
      <>
        {receipt}
        <WhoCan>Only admins move payouts. Ask an admin of {partner.name}.</WhoCan>
      </>
    )
  }
  const repeat = {
    name: payout.recipient.name ?? '',
    last4: payout.recipient.account_last4 ?? '',
    amount: payout.amount_gbp,
    ...(payout.reference == null ? {} : { reference: payout.reference }),
  }
  return (
    <>
      {environment === 'sandbox' ? <Simulate payout={payout} /> : null}
      <CancelButton payout={payout} />
      {receipt}
      <Link to="/payouts/new" search={repeat} className={buttonClass()}>
        Repeat payout
      </Link>
    </>
  )
}

const OUTCOMES: readonly { outcome: Outcome; label: string; hint: string; from: readonly Payout['status'][] }[] = [
  { outcome: 'settle', label: 'Settle it', hint: 'The money arrives', from: ['pending', 'processing'] },
  { outcome: 'fail', label: 'Let it fail', hint: 'The bank cannot deliver it', from: ['pending', 'processing'] },
  { outcome: 'cancel', label: 'Cancel at the bank', hint: 'Stopped before it went', from: ['pending', 'processing'] },
  {
    outcome: 'return',
    label: 'Return it',
    hint: 'The recipient’s bank sends it back',
    from: ['pending', 'processing', 'completed'],
  },
]

/** Sandbox only: the bank's own controls. */
function Simulate({ payout }: { payout: Payout }) {
  const act = useAction((outcome: Outcome) => simulate(payout.id, outcome), {
    done: (after) => `The sandbox bank was told. The payout is ${statusWord(after.status).toLowerCase()}.`,
    refresh: AFTER_OWN_CHANGE,
  })
  const possible = OUTCOMES.filter(({ from }) => from.includes(payout.status))
  if (possible.length === 0) return null
  return (
    <Menu
      trigger={
        <Button icon="flask" busy={act.isPending ? 'Simulating…' : false}>
          Simulate
          <Icon name="chevronDown" size={14} />
        </Button>
      }
    >
      <MenuLabel>Tell the sandbox bank to</MenuLabel>
      {possible.map(({ outcome, label, hint }) => (
        <MenuItem key={outcome} hint={hint} onSelect={() => act.mutate(outcome)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}

function CancelButton({ payout }: { payout: Payout }) {
  const [isAsking, setAsking] = useState(false)
  const scope = useScope()
  const timeline = useQuery(timelineQuery(scope, payout.id)).data
  const act = useAction(() => cancelPayout(scope.environment, payout.id), {
    done: 'The payout was cancelled. The money is back in your wallet.',
    refresh: AFTER_OWN_CHANGE,
    onDone: () => setAsking(false),
  })
  if (timeline?.is_cancellable !== true) return null
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        Cancel payout
      </Button>
      <Dialog
        title={`Cancel ${gbp(payout.amount_gbp)} to ${payout.recipient.name}?`}
        description="If the bank has not sent it yet, nothing is charged and the money returns to your wallet."
        isOpen={isAsking}
        onClose={() => setAsking(false)}
      >
        <DialogActions>
          <Button onClick={() => setAsking(false)}>Keep it</Button>
          <Button kind="danger" busy={act.isPending ? 'Cancelling…' : false} onClick={() => act.mutate(undefined)}>
            Cancel the payout
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
