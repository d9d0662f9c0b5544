import { useState } from 'react'

import { Button } from './button.tsx'
import { DialogActions } from './dialog.tsx'
import { Field } from './field.tsx'

interface TypedConfirmationProps {
  /** What has to be typed: the name of the thing that is going to be gone. */
  readonly name: string
  readonly verb: string
  /** What the button says while it happens; false while nothing does. */
  readonly busy: string | false
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** For what cannot be undone: a button alone is pressed by mistake, a name is not typed by mistake. */
export function TypedConfirmation({ name, verb, busy, onConfirm, onClose }: TypedConfirmationProps) {
  const [typed, setTyped] = useState('')
  const isConfirmed = typed.trim() === name
  return (
    <form
      className="grid gap-1"
      onSubmit={(event) => {
        event.preventDefault()
        if (isConfirmed && busy === false) onConfirm()
      }}
    >
      <Field
        label={`Type ${name} to confirm`}
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button kind="danger" type="submit" disabled={!isConfirmed} busy={busy}>
          {verb}
        </Button>
      </DialogActions>
    </form>
  )
}
