import type { Member } from '@kestrel/contract'
import { useState } from 'react'

import { useScope, useSession } from '../../app/session.ts'
import { useDoor } from '../../codes/use-door.tsx'
import { gbp } from '../../format/money.ts'
import { AmountLimits } from '../../limits/amount-limits.tsx'
import { amountsInWords, amountsOf, changedAmounts, isMistaken } from '../../limits/amounts-draft.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { limitMember } from '../../server/account.ts'

/** What a member may pay, in a few words. */
export function MayPay({ member }: { member: Member }) {
  if (member.role === 'viewer') return <span className="text-muted">Nothing</span>
  const words = amountsInWords(member)
  if (words.length === 0) return <span className="text-muted">No limit</span>
  return (
    <span className="num">
      {words.map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))}
    </span>
  )
}

interface DialogProps {
  readonly member: Member
  readonly name: string
  readonly onClose: () => void
}

export function MemberLimitsDialog({ member, name, onClose }: DialogProps) {
  const { environment } = useScope()
  const isOwn = useSession().email === member.email
  const [draft, setDraft] = useState(() => amountsOf(member))
  const changes = changedAmounts(draft, member)
  const canSave = Object.keys(changes).length > 0 && !isMistaken(draft)
  const isLive = environment === 'live'
  const act = useDoor({
    door: isLive ? { action: 'member.change', member_id: member.id, environment, ...changes } : null,
    isTriedFirst: true,
    verb: 'Save limits',
    run: (code) => limitMember(environment, member.id, { body: changes, code }),
    done: `The limits of ${name} are changed.`,
    refresh: ['members'],
    onDone: onClose,
  })
  if (act.dialog !== null) return act.dialog
  return (
    <Dialog
      title={`Limits of ${name}`}
      description={`What ${isOwn ? 'you' : 'they'} may pay from the dashboard in ${environment}. API keys have limits of their own.`}
      isOpen
      onClose={onClose}
      width="wide"
    >
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (canSave) act.start()
        }}
      >
        <Used member={member} />
        <AmountLimits draft={draft} onChange={setDraft} />
        <p className="text-sm text-muted">{inWords(isOwn, isLive)}</p>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={!canSave} busy={act.isPending ? 'Saving…' : false}>
            Save limits
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Used({ member: { spent_today_gbp: today, spent_this_month_gbp: month } }: { member: Member }) {
  if (today === null || month === null) return null
  return (
    <p className="num text-sm text-muted">
      Used {gbp(today)} today and {gbp(month)} this month.
    </p>
  )
}

function inWords(isOwn: boolean, isLive: boolean): string {
  const lower = 'Lower limits count at once.'
  if (isOwn) return `${lower} Only another admin can raise yours again.`
  return isLive ? `${lower} Raising one takes a code that we email you.` : lower
}
