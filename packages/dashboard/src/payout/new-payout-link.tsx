import { Link } from '@tanstack/react-router'

import { buttonClass, KeyHint } from '../parts/button.tsx'
import { WhoCan } from '../parts/states.tsx'
import { useIsAdmin, useSession } from '../app/session.ts'
import { useCanPay } from '../app/use-can-pay.ts'

/** The link to a new payout. A viewer reads who can send one; before live is open there is nothing. */
export function NewPayoutLink() {
  const isAdmin = useIsAdmin()
  const canPay = useCanPay()
  const { partner } = useSession()
  if (!isAdmin) return <WhoCan>Only admins send payouts. Ask an admin of {partner.name}.</WhoCan>
  return canPay ? (
    <Link to="/payouts/new" className={buttonClass('primary')}>
      New payout <KeyHint>N</KeyHint>
    </Link>
  ) : null
}
