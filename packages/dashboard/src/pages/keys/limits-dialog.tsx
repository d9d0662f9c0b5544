import type { ApiKey } from '@kestrel/contract'
import { useState } from 'react'

import { useDoor } from '../../codes/use-door.tsx'
import { gbp } from '../../format/money.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { changeKey } from '../../server/account.ts'
import { changesIn, draftOf, mistakeIn } from './limits-draft.ts'
import { LimitsFields } from './limits-fields.tsx'

export function LimitsDialog({ chosen, onClose }: { chosen: ApiKey; onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(chosen))
  const changes = changesIn(draft, chosen)
  const isSame = Object.keys(changes).length === 0
  const isLive = chosen.environment === 'live'
  const act = useDoor({
    door: isLive ? { action: 'key.change', key_id: chosen.id, ...changes } : null,
    isTriedFirst: true,
    verb: 'Save limits',
    run: (code) => changeKey(chosen.id, changes, code),
    done: 'The limits of the key are changed.',
    refresh: ['keys'],
    onDone: onClose,
  })
  if (act.dialog !== null) return act.dialog
  return (
    <Dialog
      title={`Limits of ${chosen.label ?? chosen.key_prefix}`}
      description="Narrower limits count at once. What a payout that fails or is cancelled had used comes back."
      isOpen
      onClose={onClose}
      width="wide"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isSame && mistakeIn(draft) === null) act.start()
        }}
      >
        {chosen.spent_today_gbp === null ? null : (
          <p className="num mb-3 text-sm text-muted">
            Used {gbp(chosen.spent_today_gbp)} today and {gbp(chosen.spent_this_month_gbp ?? '0.00')} this month.
          </p>
        )}
        <LimitsFields environment={chosen.environment} draft={draft} onChange={setDraft} />
        {isLive ? (
          <p className="mt-3 text-sm text-muted">Giving a live key more than it has takes a code that we email you.</p>
        ) : null}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            disabled={isSame || mistakeIn(draft) !== null}
            busy={act.isPending ? 'Saving…' : false}
          >
            Save limits
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
