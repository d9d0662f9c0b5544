import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useEffect } from 'react'

import { IconButton } from './button.tsx'
import { useReturnFocus } from './return-focus.ts'
import { useIsWide } from './use-media.ts'

interface SidePanelProps {
  /** What it shows, for screen readers: "Payout". */
  readonly label: string
  readonly head: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
}

/** One row in full: beside the list where there is room, and over the whole page where there is not. */
export function SidePanel(props: SidePanelProps) {
  return useIsWide() ? <Beside {...props} /> : <Over {...props} />
}

function Beside({ label, onClose, ...inside }: SidePanelProps) {
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      const isTaken = event.defaultPrevented || document.querySelector('[role=dialog], [role=menu]') !== null
      if (event.key === 'Escape' && !isTaken) onClose()
    }
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [onClose])
  return (
    <aside
      aria-label={label}
      className="sticky top-[calc(var(--bars)+1rem)] max-h-[calc(100dvh-var(--bars)-2rem)] w-96 shrink-0 overflow-y-auto rounded-card border border-line bg-surface p-5"
    >
      <Inside {...inside} close={<IconButton icon="cross" label="Close panel" onClick={onClose} />} />
    </aside>
  )
}

/** The page behind it cannot be reached, so it is a dialog: focus goes in, stays in, and returns. */
function Over({ label, onClose, ...inside }: SidePanelProps) {
  const { remember, giveBack } = useReturnFocus()
  return (
    <Radix.Root open onOpenChange={(next) => (next ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={remember}
          onCloseAutoFocus={giveBack}
          className="fixed inset-0 z-40 overflow-y-auto bg-surface p-5"
        >
          <Radix.Title className="sr-only">{label}</Radix.Title>
          <Inside
            {...inside}
            close={
              <Radix.Close asChild>
                <IconButton icon="cross" label="Close panel" />
              </Radix.Close>
            }
          />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Inside({ head, close, children }: Pick<SidePanelProps, 'head' | 'children'> & { close: ReactNode }) {
  return (
    <>
      <div className="mb-3 flex items-center justify-between gap-3">
        {head}
        {close}
      </div>
      {children}
    </>
  )
}
