import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { Loaded } from '../../app/loaded.tsx'
import { linkClass } from '../../app/page.tsx'
import { SecondLook } from '../../payout/second-look.tsx'
import { useScope } from '../../app/session.ts'
import { gbp } from '../../format/money.ts'
import { SidePanel } from '../../parts/side-panel.tsx'
import { StatusPill } from '../../parts/status-pill.tsx'
import { payoutQuery } from '../../server/queries.ts'
import { PayoutFacts } from '../../payout/payout-facts.tsx'
import { WhatHappened } from '../../payout/what-happened.tsx'
import { WhatWentWrong } from '../../payout/what-went-wrong.tsx'

/** One payout beside the list, which stays where it was. */
export function PayoutPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const payout = useQuery(payoutQuery(useScope(), id))
  return (
    <SidePanel
      label="Payout"
      onClose={onClose}
      head={
        <Link to="/payouts/$id" params={{ id }} className={linkClass}>
          Open the page
        </Link>
      }
    >
      <Loaded query={payout}>
        {(found) => (
          <>
            <h2 className="num text-xl font-semibold">{gbp(found.amount_gbp)}</h2>
            <p className="mb-3 text-muted wrap-anywhere">to {found.recipient.name}</p>
            <StatusPill status={found.status} />
            <div className="mt-3 flex flex-col gap-3 empty:hidden">
              <WhatWentWrong payout={found} />
              <SecondLook warnings={found.warnings ?? []} isPast />
            </div>
            <div className="my-5">
              <WhatHappened payout={found} />
            </div>
            <PayoutFacts payout={found} />
          </>
        )}
      </Loaded>
    </SidePanel>
  )
}
