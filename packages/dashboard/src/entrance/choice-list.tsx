import type { OwnBusiness, OwnInvitation } from '@kestrel/contract'
import type { ReactNode } from 'react'

import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Mark } from '../parts/mark.tsx'

interface ChoiceProps {
  readonly partners: readonly OwnBusiness[]
  readonly invitations: readonly OwnInvitation[]
  readonly isBusy?: boolean
  readonly onChoose: (slug: string) => void
  readonly onAccept: (id: string) => void
  readonly onDecline: (id: string) => void
}

/** Two businesses may have the same name, so their unique slug and whoever invited are shown too. */
export function ChoiceList({ partners, invitations, isBusy = false, onChoose, onAccept, onDecline }: ChoiceProps) {
  const unlessBusy = (run: () => void) => () => (isBusy ? undefined : run())
  return (
    <div className="grid gap-6">
      {partners.length === 0 ? null : (
        <ul className="grid gap-2">
          {partners.map((partner) => (
            <li key={partner.slug}>
              <BusinessButton partner={partner} onClick={unlessBusy(() => onChoose(partner.slug))} />
            </li>
          ))}
        </ul>
      )}
      {invitations.length === 0 ? null : (
        <section>
          {partners.length === 0 ? null : <h2 className="mb-2 font-semibold">Invitations</h2>}
          <ul className="grid gap-2">
            {invitations.map((invitation) => (
              <li key={invitation.id} className="rounded-card border border-line bg-surface p-3">
                <InvitationWords invitation={invitation} />
                <div className="mt-3 flex flex-wrap gap-2">
                  <Button
                    kind="primary"
                    aria-label={`Accept the invitation to ${invitation.name}`}
                    aria-disabled={isBusy || undefined}
                    onClick={unlessBusy(() => onAccept(invitation.id))}
                  >
                    Accept
                  </Button>
                  <Button
                    aria-label={`Decline the invitation to ${invitation.name}`}
                    aria-disabled={isBusy || undefined}
                    onClick={unlessBusy(() => onDecline(invitation.id))}
                  >
                    Decline
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

const roleWord = (role: string) => (role === 'admin' ? 'Admin' : 'Viewer')

function BusinessButton({ partner, onClick }: { partner: OwnBusiness; onClick: () => void }) {
  const { name, slug, role, invited_by } = partner
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex w-full items-center gap-3 rounded-card border border-line bg-surface p-3 text-left hover:border-control"
    >
      <Mark name={name} logo={null} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{name}</span>
        <Fine>
          {roleWord(role)}, {slug}
        </Fine>
        {invited_by === null ? null : <Fine>Invited by {invited_by}</Fine>}
      </span>
      <Icon name="chevronRight" className="text-muted" />
    </button>
  )
}

function InvitationWords({ invitation }: { invitation: OwnInvitation }) {
  const { name, slug, role, invited_by } = invitation
  return (
    <div className="flex items-start gap-3">
      <Mark name={name} logo={null} />
      <div className="min-w-0 flex-1">
        <p className="font-semibold break-words">{name}</p>
        <Fine>
          {slug}, as {role === 'admin' ? 'an admin' : 'a viewer'}
        </Fine>
        <Fine>Invited by {invited_by}</Fine>
      </div>
    </div>
  )
}

function Fine({ children }: { children: ReactNode }) {
  return <span className="block text-sm break-words text-muted">{children}</span>
}
