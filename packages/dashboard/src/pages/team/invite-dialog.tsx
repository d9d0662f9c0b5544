import type { MemberRole } from '@kestrel/contract'
import { useState } from 'react'

import { describeChangeFailure } from '../../app/failure.ts'
import { count } from '../../format/people.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/card.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Choice, FieldFrame, inputClass } from '../../parts/field.tsx'
import { inviteMember } from '../../server/account.ts'
import { useDoor } from '../../codes/use-door.tsx'
import { addressProblem, readAddresses } from './addresses.ts'

interface Result {
  readonly invited: readonly string[]
  readonly problems: readonly { readonly email: string; readonly message: string }[]
}

/** One after the other, so that a refusal of one address does not hide what became of the rest. */
async function inviteAll(emails: readonly string[], role: MemberRole, code: string | undefined): Promise<Result> {
  // Admins are invited one at a time, so there is no rest to report on.
  if (role === 'admin') {
    for (const email of emails) await inviteMember({ email, role }, code)
    return { invited: emails, problems: [] }
  }
  const invited: string[] = []
  const problems: { email: string; message: string }[] = []
  for (const email of emails) {
    try {
      await inviteMember({ email, role }, undefined)
      invited.push(email)
    } catch (error) {
      problems.push({ email, message: describeChangeFailure(error).message })
    }
  }
  return { invited, problems }
}

const ROLES: readonly { value: MemberRole; label: string; hint: string }[] = [
  { value: 'viewer', label: 'Viewer', hint: 'Sees everything, moves nothing' },
  { value: 'admin', label: 'Admin', hint: 'Sends payouts, manages keys, people and settings' },
]

const ONE_ADMIN = 'Invite admins one at a time: we email you a code to confirm each.'

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [role, setRole] = useState<MemberRole>('viewer')
  const [wasTried, setTried] = useState(false)
  const { good } = readAddresses(typed)
  const [problems, setProblems] = useState<Result['problems']>([])
  const act = useDoor({
    door: role === 'admin' ? { action: 'member.invite', email: good[0] ?? '', role } : null,
    verb: 'Invite',
    run: (code) => inviteAll(good, role, code),
    done: ({ invited }) => (invited.length === 0 ? null : `${count(invited.length, 'invitation')} sent.`),
    refresh: ['members', 'invitations'],
    onDone: ({ problems: left }) => {
      setProblems(left)
      if (left.length === 0) onClose()
      else setTyped(left.map(({ email }) => email).join('\n'))
    },
  })
  const isTooMany = role === 'admin' && good.length > 1
  const problem = addressProblem(typed) ?? (isTooMany ? ONE_ADMIN : undefined)
  if (act.dialog !== null) return act.dialog
  return (
    <Dialog
      title="Invite people"
      description="They get an email, and join the team once they have signed in and accepted."
      isOpen
      onClose={onClose}
    >
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (problem === undefined) act.start()
        }}
      >
        <FieldFrame label="Email addresses" hint="One or more, one per line" error={wasTried ? problem : undefined}>
          {(wiring) => (
            <textarea
              {...wiring}
              rows={3}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              className={`${inputClass} py-2`}
            />
          )}
        </FieldFrame>
        <Choice legend="Role" name="role" value={role} onChange={setRole} options={ROLES} />
        <Refused problems={problems} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={act.isPending ? 'Inviting…' : false}>
            {good.length > 1 ? `Invite ${good.length} people` : 'Invite'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Refused({ problems }: { problems: Result['problems'] }) {
  return problems.map(({ email, message }) => (
    <Notice key={email} tone="bad" title={email}>
      {message}
    </Notice>
  ))
}
