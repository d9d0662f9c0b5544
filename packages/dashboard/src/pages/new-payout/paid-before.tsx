import type { RecipientSummary } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'

import { useScope } from '../../app/session.ts'
import { Button } from '../../parts/button.tsx'
import { recipientsQuery } from '../../server/queries.ts'

const PickRecipient = lazy(() => import('./pick-recipient.tsx'))

interface PaidBeforeProps {
  /** Who is being paid again, as it stands in the form; null for somebody new. */
  readonly chosen: { readonly name: string; readonly last4: string } | null
  readonly onPick: (recipient: RecipientSummary) => void
  readonly onSomebodyNew: () => void
}

export function PaidBefore({ chosen, onPick, onSomebodyNew }: PaidBeforeProps) {
  const recipients = useQuery(recipientsQuery(useScope())).data?.data ?? []
  const [isPicking, setPicking] = useState(false)
  if (recipients.length === 0 && chosen === null) return null
  return (
    <div className="rounded-card bg-sunken p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p>
          {chosen === null ? (
            'Somebody whom you have paid before?'
          ) : (
            <>
              Paying <strong className="font-semibold">{chosen.name}</strong>{' '}
              <span className="num text-muted">··{chosen.last4}</span> again
            </>
          )}
        </p>
        <div className="flex flex-wrap gap-2">
          {recipients.length === 0 ? null : (
            <Button icon="search" onClick={() => setPicking(true)}>
              {chosen === null ? 'Find them' : 'Somebody else'}
            </Button>
          )}
          {chosen === null ? null : <Button onClick={onSomebodyNew}>Somebody new</Button>}
        </div>
      </div>
      {chosen === null ? null : (
        <p className="mt-2 text-sm text-muted">
          Bank details are typed again, because only the last 4 digits are kept.
        </p>
      )}
      {isPicking ? (
        <Suspense fallback={null}>
          <PickRecipient
            recipients={recipients}
            onPick={(recipient) => {
              setPicking(false)
              onPick(recipient)
            }}
            onClose={() => setPicking(false)}
          />
        </Suspense>
      ) : null}
    </div>
  )
}
