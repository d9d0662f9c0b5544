import { useState } from 'react'

import { describeChangeFailure } from '../../app/failure.ts'
import { useAction } from '../../app/use-action.ts'
import { count } from '../../format/people.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/card.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Choice, FieldFrame, inputClass } from '../../parts/field.tsx'
import { inviteMember } from '../../server/account.ts'
import type { Role } from '../../server/shapes.ts'
import { addressProblem, readAddresses } from './addresses.ts'

interface Result {
  readonly invited: readonly string[]
  readonly problems: readonly { readonly email: string; readonly message: string }[]
}

/** One after the other, so that a refusal of one address does not hide what became of the rest. */
async function inviteAll(emails: readonly string[], role: Role): Promise<Result> {
  const invited: string[] = []
  const problems: { email: string; message: string }[] = []
  for (const email of emails) {
    try {
      await inviteMember({ email, role })
      invited.push(email)
    } catch (error) {
      problems.push({ email, message: describeChangeFailure(error).message })
    }
  }
  return { invited, problems }
}

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [wasTried, setTried] = useState(false)
  const { good } = readAddresses(typed)
  const act = useAction(() => inviteAll(good, role), {
    done: ({ invited }) => (invited.length === 0 ? null : `${count(invited.length, 'invitation')} sent.`),
    refresh: ['members'],
    onDone: ({ problems }) => {
      if (problems.length === 0) onClose()
      else setTyped(problems.map(({ email }) => email).join('\n'))
    },
  })
  const problem = addressProblem(typed)
  return (
    <Dialog title="Invite people" description="They get a mail and sign in with a code." isOpen onClose={onClose}>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (problem === undefined && !act.isPending) act.mutate(undefined)
        }}
      >
        <FieldFrame label="Email addresses" hint="One or several, one on a line" error={wasTried ? problem : undefined}>
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
        <Choice
          legend="Role"
          name="role"
          value={role}
          onChange={setRole}
          options={[
            { value: 'viewer', label: 'Viewer', hint: 'Sees everything, moves nothing' },
            { value: 'admin', label: 'Admin', hint: 'Sends payouts, manages keys, people and settings' },
          ]}
        />
        <Refused problems={act.data?.problems ?? []} />
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
