import type { Payout, SimulateRequest } from '@kestrel/contract'
import { UNDER_WAY } from '@kestrel/contract/payout-status'
import { Link } from '@tanstack/react-router'

import { buttonClass } from '../../app/page.tsx'
import { useIsAdmin, useScope, useSession } from '../../app/session.ts'
import { useAction } from '../../app/use-action.ts'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Menu, MenuItem, MenuLabel } from '../../parts/menu.tsx'
import { statusWord } from '../../parts/status-pill.tsx'
import { WhoCan } from '../../parts/states.tsx'
import { receiptAddress, simulate } from '../../server/payouts.ts'
import { AFTER_OWN_CHANGE } from '../../server/queries.ts'
import { CancelPayout } from './cancel-payout.tsx'

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
      <CancelPayout payout={payout} />
      {receipt}
      <Link to="/payouts/new" search={repeat} className={buttonClass()}>
        Repeat payout
      </Link>
    </>
  )
}

const OUTCOMES: readonly {
  outcome: SimulateRequest['outcome']
  label: string
  hint: string
  from: ReadonlySet<Payout['status']>
}[] = [
  { outcome: 'settle', label: 'Settle it', hint: 'The money arrives', from: UNDER_WAY },
  { outcome: 'fail', label: 'Let it fail', hint: 'The bank cannot deliver it', from: UNDER_WAY },
  { outcome: 'cancel', label: 'Cancel at the bank', hint: 'Stopped before it went', from: UNDER_WAY },
  {
    outcome: 'return',
    label: 'Return it',
    hint: 'The recipient’s bank sends it back',
    from: new Set([...UNDER_WAY, 'completed']),
  },
]

/** Sandbox only: tells the sandbox bank how the payout ends. */
function Simulate({ payout }: { payout: Payout }) {
  const act = useAction((outcome: SimulateRequest['outcome']) => simulate(payout.id, outcome), {
    done: (after) => `The sandbox bank was told. The payout is ${statusWord(after.status).toLowerCase()}.`,
    refresh: AFTER_OWN_CHANGE,
  })
  const possible = OUTCOMES.filter(({ from }) => from.has(payout.status))
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
