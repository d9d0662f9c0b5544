import { type ReactNode, useState } from 'react'

import { Button } from './button.tsx'
import { Notice } from './card.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

interface Kept {
  readonly isKept: boolean
  readonly onKept: () => void
}

interface SecretDialogProps {
  readonly title: string
  readonly description: string
  readonly onClose: () => void
  readonly children: (kept: Kept) => ReactNode
}

/** Asks once before it closes on a secret that nobody has copied. */
export function SecretDialog({ title, description, onClose, children }: SecretDialogProps) {
  const [isKept, setKept] = useState(false)
  const [wasAsked, setAsked] = useState(false)
  const close = () => (isKept || wasAsked ? onClose() : setAsked(true))
  return (
    <Dialog title={title} description={description} isOpen onClose={close} width="wide">
      {children({ isKept, onKept: () => setKept(true) })}
      <DialogActions
        note={
          wasAsked && !isKept ? (
            <div role="alert" className="mb-4">
              <Notice tone="warn">You have not copied the secret. It cannot be shown again.</Notice>
            </div>
          ) : null
        }
      >
        <Button kind={wasAsked && !isKept ? 'danger' : 'primary'} onClick={close}>
          {wasAsked && !isKept ? 'Close without copying' : 'Done'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
