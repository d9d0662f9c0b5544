import type { Compliance } from '@kestrel/contract'

import { Notice } from '../parts/card.tsx'
import { Contact } from './contact.tsx'

/** Nobody can be verified where no bank is; who has been approved needs none of it. */
export function cannotStart({ status, can_start }: Compliance['business_verification']): boolean {
  return can_start === false && status !== 'approved'
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
