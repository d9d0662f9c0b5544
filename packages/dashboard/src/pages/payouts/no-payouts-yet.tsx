import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { isActiveKey } from '../../keys/active-key.ts'
import { buttonClass } from '../../app/page.tsx'
import { useIsVerified, useScope } from '../../app/session.ts'
import { useCanPay } from '../../app/use-can-pay.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { keysQuery } from '../../server/queries.ts'
import { payoutCurl } from '../../keys/samples.ts'

export function NoPayoutsYet() {
  const scope = useScope()
  const canPay = useCanPay()
  const isVerified = useIsVerified()
  const keys = useQuery(keysQuery(scope)).data?.data ?? []
  const key = keys.find((each) => each.environment === scope.environment && isActiveKey(each, new Date()))
  if (!isVerified) {
    return <EmptyState title="No live payouts yet">They appear here once your business is verified.</EmptyState>
  }
  return (
    <EmptyState icon="payouts" title="No payouts yet">
      <p>Send one from here, or from code:</p>
      <CodeBlock what="curl command" code={payoutCurl(key === undefined ? '$KEY' : `${key.key_prefix}…`)} />
      {canPay ? (
        <Link to="/payouts/new" className={buttonClass('primary')}>
          New payout
        </Link>
      ) : null}
    </EmptyState>
  )
}
