// Why live is not open: there is no bank, or the bank has not opened the wallet of a business that was approved.
import type { Compliance } from '@kestrel/contract'
import type { ReactNode } from 'react'

import { Notice } from '../parts/card.tsx'
import { Contact } from './contact.tsx'

type Verification = Compliance['business_verification']

/** Without a live bank verification cannot start. An approved business no longer needs it. */
export function cannotStart({ status, can_start }: Verification): boolean {
  return can_start === false && status !== 'approved'
}

/** Approved, and still nothing can be topped up or paid. */
export function isNotOpen({ status, live_open }: Verification): boolean {
  return status === 'approved' && live_open === false
}

/** Whoever runs the service vouched for the business, and the bank has said nothing. */
export function isOnlyVouchedFor(verification: Verification): boolean {
  return isNotOpen(verification) && verification.provider_status === null
}

export function NoLiveBank() {
  return (
    <Notice tone="warn" title="This installation has no live bank yet">
      <p>
        Live opens when whoever runs it connects one; until then there is nothing to do here. Sandbox has everything
        else. <Contact />
      </p>
    </Notice>
  )
}

interface NotOpenYetProps {
  readonly verification: Verification
  /** A link to the next step; nothing on the page that is that step. */
  readonly way?: ReactNode
}

export function NotOpenYet({ verification, way = null }: NotOpenYetProps) {
  if (!isOnlyVouchedFor(verification) && (verification.missing ?? []).length > 0) {
    return (
      <Notice tone="warn" title="The bank has not opened your live wallet yet">
        <p>
          The business is approved, and we keep asking the bank: there is nothing for you to do. Questions? {way}{' '}
          <Contact />
        </p>
      </Notice>
    )
  }
  if (!isOnlyVouchedFor(verification)) {
    return (
      <Notice tone="info" title="The bank is opening your live wallet">
        <p>The business is approved. In a minute or so you can top up the wallet and pay from it.</p>
      </Notice>
    )
  }
  if (verification.can_start === true) {
    return (
      <Notice tone="warn" title="Live payouts wait for the bank">
        <p>
          Whoever runs this service vouches for the business, and the bank decides. Nothing can be topped up or paid
          until it has. {way}
        </p>
      </Notice>
    )
  }
  return (
    <Notice tone="warn" title="Live payouts wait for a bank">
      <p>
        Whoever runs this service vouches for the business, and has connected no live bank yet. Live keys can be made
        meanwhile; nothing can be topped up or paid, and nothing is charged. <Contact />
      </p>
    </Notice>
  )
}
