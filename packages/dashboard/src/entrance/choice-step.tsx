import type { OwnBusiness, OwnInvitation } from '@kestrel/contract'

import { Button } from '../parts/button.tsx'
import { Notice } from '../parts/card.tsx'
import { ApiError } from '../server/client.ts'
import { ChoiceList } from './choice-list.tsx'

export interface Destinations {
  readonly partners: readonly OwnBusiness[]
  readonly invitations: readonly OwnInvitation[]
}

/** The businesses and invitations that the server lists when the code is right and fits more than one. */
export function destinationsIn(error: Error | null): Destinations | null {
  if (!(error instanceof ApiError) || error.code !== 'choice_needed') return null
  return error.details as unknown as Destinations
}

/** What the page is called: somebody who is only invited has no business to choose. */
export function titleOf({ partners, invitations }: Destinations): string {
  if (partners.length > 0) return 'Choose a business'
  return invitations.length > 0 ? 'You are invited' : 'No business here'
}

interface StepProps {
  readonly choice: Destinations
  readonly isBusy: boolean
  readonly onAnswer: (answer: { partner?: string; accept?: string; decline?: string }) => void
  readonly onBack: () => void
}

/** The code was right. The person chooses which business to open. */
export function ChoiceStep({ choice, isBusy, onAnswer, onBack }: StepProps) {
  if (choice.partners.length === 0 && choice.invitations.length === 0) {
    return (
      <>
        <Notice tone="quiet">There is no business to sign in to with this address.</Notice>
        <Button className="mt-4 w-full" onClick={onBack}>
          Use another email
        </Button>
      </>
    )
  }
  return (
    <ChoiceList
      {...choice}
      isBusy={isBusy}
      onChoose={(partner) => onAnswer({ partner })}
      onAccept={(accept) => onAnswer({ accept })}
      onDecline={(decline) => onAnswer({ decline })}
    />
  )
}
