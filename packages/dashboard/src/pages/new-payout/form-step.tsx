import { type ReactNode, useEffect, useRef } from 'react'

import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'

interface StepProps {
  readonly number: number
  readonly title: string
  readonly current: number
  /** What the step says once it is done. */
  readonly said: string
  /** While the payout is being sent, no other step can be opened. */
  readonly isLocked: boolean
  readonly onChange: (step: number) => void
  readonly children: ReactNode
}

/** What takes the focus when a step opens: the first error, else the first field, else the heading. */
const FIRST = ['[aria-invalid=true]', 'input:not([type=radio])', 'h2']

/** The button that opened the step is gone by then, and the focus with it. */
function useFocusWhenOpened(isOpen: boolean) {
  const step = useRef<HTMLLIElement>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (isOpen && !wasOpen.current) {
      const [first] = FIRST.flatMap((selector) => step.current?.querySelector<HTMLElement>(selector) ?? [])
      first?.focus()
    }
    wasOpen.current = isOpen
  }, [isOpen])
  return step
}

export function FormStep({ number, title, current, said, isLocked, onChange, children }: StepProps) {
  const isOpen = number === current
  const isDone = number < current
  const step = useFocusWhenOpened(isOpen)
  return (
    <li
      ref={step}
      aria-current={isOpen ? 'step' : undefined}
      className="rounded-card border border-line bg-surface p-5"
    >
      <div className="flex items-center gap-3">
        <span
          className={`flex size-6 shrink-0 items-center justify-center rounded-full text-xs font-semibold ${isOpen ? 'bg-ink text-on-ink' : isDone ? 'bg-ok-soft text-ok' : 'bg-sunken text-muted'}`}
        >
          {isDone ? <Icon name="check" size={13} /> : number}
        </span>
        <h2 tabIndex={-1} className={`font-semibold outline-none ${isOpen || isDone ? '' : 'text-muted'}`}>
          {title}
        </h2>
        {isDone ? <span className="num min-w-0 truncate text-muted">{said}</span> : null}
        {isDone && !isLocked ? (
          <Button
            kind="quiet"
            className="ml-auto"
            aria-label={`Change ${title.toLowerCase()}`}
            onClick={() => onChange(number)}
          >
            Change
          </Button>
        ) : null}
      </div>
      {isOpen ? <div className="mt-4">{children}</div> : null}
    </li>
  )
}
