import type { Member, MemberRole } from '@kestrel/contract'
import { useState } from 'react'

import { Button, IconButton } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Menu, MenuItem } from '../../parts/menu.tsx'
import { changeMember, removeMember } from '../../server/account.ts'
import { useDoor } from '../../codes/use-door.tsx'
import { MemberLimitsDialog } from './member-limits.tsx'

export function MemberActions({ member }: { member: Member }) {
  const [isAsking, setAsking] = useState(false)
  const [isLimiting, setLimiting] = useState(false)
  const name = member.name ?? member.email
  const other: MemberRole = member.role === 'admin' ? 'viewer' : 'admin'
  const change = useDoor({
    door: { action: 'member.change', member_id: member.id, role: other },
    verb: other === 'admin' ? 'Make an admin' : 'Make a viewer',
    run: (code) => changeMember(member.id, { role: other }, code),
    done: `${name} is now ${other === 'admin' ? 'an admin' : 'a viewer'}.`,
    refresh: ['members'],
    touchesSession: true,
  })
  return (
    <>
      <Menu trigger={<IconButton icon="more" label={`Actions for ${name}`} />}>
        <MenuItem icon="team" onSelect={change.start}>
          {other === 'admin' ? 'Make an admin' : 'Make a viewer'}
        </MenuItem>
        <MenuItem icon="compliance" onSelect={() => setLimiting(true)}>
          Limits
        </MenuItem>
        <MenuItem icon="trash" onSelect={() => setAsking(true)}>
          Remove
        </MenuItem>
      </Menu>
      {change.dialog}
      {isLimiting ? <MemberLimitsDialog member={member} name={name} onClose={() => setLimiting(false)} /> : null}
      {isAsking ? <RemoveDialog member={member} name={name} onClose={() => setAsking(false)} /> : null}
    </>
  )
}

interface RemoveProps {
  readonly member: Member
  readonly name: string
  readonly onClose: () => void
}

function RemoveDialog({ member, name, onClose }: RemoveProps) {
  const isAdmin = member.role === 'admin'
  const remove = useDoor({
    door: isAdmin ? { action: 'member.remove', member_id: member.id } : null,
    verb: 'Remove',
    run: (code) => removeMember(member.id, code),
    done: `${name} was removed and signed out.`,
    refresh: ['members'],
    touchesSession: true,
    onDone: onClose,
  })
  if (remove.dialog !== null) return remove.dialog
  return (
    <Dialog
      title={`Remove ${name}?`}
      description={`They are signed out at once and can no longer see this business. API keys they created keep working. They and every admin are told by email.${
        isAdmin ? ' We email you a code to confirm it.' : ''
      }`}
      isOpen
      onClose={onClose}
    >
      <DialogActions>
        <Button onClick={onClose}>Keep</Button>
        <Button kind="danger" busy={remove.isPending ? 'Removing…' : false} onClick={remove.start}>
          Remove
        </Button>
      </DialogActions>
    </Dialog>
  )
}
