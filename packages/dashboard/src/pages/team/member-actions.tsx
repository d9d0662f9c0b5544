import { useState } from 'react'

import { useAction } from '../../app/use-action.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Menu, MenuItem } from '../../parts/menu.tsx'
import { changeMember, removeMember } from '../../server/account.ts'
import type { Role, TeamMember } from '../../server/shapes.ts'

export function MemberActions({ member }: { member: TeamMember }) {
  const [isAsking, setAsking] = useState(false)
  const name = member.name ?? member.email
  const other: Role = member.role === 'admin' ? 'viewer' : 'admin'
  const change = useAction(() => changeMember(member.id, { role: other }), {
    done: `${name} is now ${other === 'admin' ? 'an admin' : 'a viewer'}.`,
    refresh: ['members'],
    touchesSession: true,
  })
  const remove = useAction(() => removeMember(member.id), {
    done: `${name} was removed and signed out.`,
    refresh: ['members'],
    touchesSession: true,
    onDone: () => setAsking(false),
  })
  return (
    <>
      <Menu trigger={<IconButton icon="more" label={`Actions for ${name}`} />}>
        <MenuItem icon="team" onSelect={() => change.mutate(undefined)}>
          {other === 'admin' ? 'Make an admin' : 'Make a viewer'}
        </MenuItem>
        <MenuItem icon="trash" onSelect={() => setAsking(true)}>
          Remove
        </MenuItem>
      </Menu>
      <Dialog
        title={`Remove ${name}?`}
        description="They are signed out at once and can no longer see this business. API keys they created keep working."
        isOpen={isAsking}
        onClose={() => setAsking(false)}
      >
        <DialogActions>
          <Button onClick={() => setAsking(false)}>Keep</Button>
          <Button kind="danger" busy={remove.isPending ? 'Removing…' : false} onClick={() => remove.mutate(undefined)}>
            Remove
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
