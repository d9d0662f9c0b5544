import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

import { IconButton } from './button.tsx'
import { useReturnFocus } from './return-focus.ts'
import { useMessagesWait } from './toasts.tsx'

interface DialogProps {
  readonly title: string
  readonly description?: ReactNode
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  readonly width?: 'narrow' | 'wide'
}

/** Whoever opens a form wants to type; the button that closes it comes first on the page all the same. */
function toFirstField(event: Event): void {
  const content = event.currentTarget
  const field = content instanceof Element ? content.querySelector<HTMLElement>(FIELD) : null
  if (field === null) return
  event.preventDefault()
  // Of several radio buttons, the chosen one: a key that is pressed by mistake chooses no other.
  const chosen = field.matches('[type=radio]')
    ? field.closest('fieldset')?.querySelector<HTMLElement>(':checked')
    : null
  ;(chosen ?? field).focus()
}

const FIELD = 'input:not([type=checkbox], [type=file]), textarea, select'

/** Focus goes in, stays in, and returns to where it was. */
export function Dialog({ title, description, isOpen, onClose, children, width = 'narrow' }: DialogProps) {
  const { remember, giveBack } = useReturnFocus()
  useMessagesWait(isOpen)
  const describedBy = description === undefined ? { 'aria-describedby': undefined } : {}
  return (
    <Radix.Root open={isOpen} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-veil" />
        <Radix.Content
          {...describedBy}
          onOpenAutoFocus={(event) => {
            remember()
            toFirstField(event)
          }}
          onCloseAutoFocus={giveBack}
          className={`fixed inset-x-0 bottom-0 z-50 mx-auto flex max-h-[92dvh] animate-appear flex-col overflow-y-auto rounded-t-card border border-line bg-surface p-5 shadow-2xl sm:inset-y-0 sm:my-auto sm:h-fit sm:rounded-card ${width === 'wide' ? 'sm:max-w-2xl' : 'sm:max-w-md'}`}
        >
          <div className="mb-3 flex items-start justify-between gap-4">
            <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton icon="cross" label="Close" className="-mt-1 -mr-2" />
            </Radix.Close>
          </div>
          {description === undefined ? null : (
            <Radix.Description asChild>
              <div className="mb-4 text-muted">{description}</div>
            </Radix.Description>
          )}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Always in view, however long the dialog is: a note above the buttons is read before one of them is pressed. */
export function DialogActions({ note, children }: { note?: ReactNode; children: ReactNode }) {
  return (
    <div className="sticky -bottom-5 -mx-5 -mb-5 bg-surface px-5 pt-5 pb-5">
      {note}
      <div className="flex flex-wrap justify-end gap-2">{children}</div>
    </div>
  )
}
