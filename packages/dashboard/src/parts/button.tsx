import type { ComponentProps, ReactNode } from 'react'

import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'

export type ButtonKind = 'primary' | 'secondary' | 'chosen' | 'quiet' | 'danger'

const KINDS: Record<ButtonKind, string> = {
  primary: 'bg-ink text-on-ink border-ink hover:opacity-90',
  secondary: 'bg-surface text-ink border-control hover:bg-sunken',
  chosen: 'bg-accent-soft text-ink border-accent hover:opacity-90',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-selected',
  danger: 'bg-surface text-bad border-bad hover:bg-bad-soft',
}

const SHAPE =
  'inline-flex items-center justify-center gap-2 rounded-control border px-3.5 text-base font-medium whitespace-nowrap transition-opacity duration-150 min-h-9 touch:min-h-11 aria-disabled:opacity-55 aria-disabled:cursor-default disabled:opacity-55'

export function buttonClass(kind: ButtonKind = 'secondary', extra = ''): string {
  return `${SHAPE} ${KINDS[kind]} ${extra}`
}

interface ButtonProps extends ComponentProps<'button'> {
  readonly kind?: ButtonKind
  readonly icon?: IconName
  /** What the button says while its work is under way. It cannot be pressed again meanwhile, and keeps the focus. */
  readonly busy?: string | false | undefined
}

export function Button({ kind = 'secondary', icon, busy, children, className, onClick, ...rest }: ButtonProps) {
  const isBusy = typeof busy === 'string'
  return (
    <button
      type="button"
      aria-disabled={isBusy || undefined}
      className={buttonClass(kind, className)}
      {...rest}
      onClick={(event) => {
        if (isBusy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {isBusy ? busy : children}
    </button>
  )
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  readonly icon: IconName
  readonly label: string
}

export function IconButton({ icon, label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`inline-flex size-8 touch:size-11 items-center justify-center rounded-control text-muted hover:bg-selected hover:text-ink ${className ?? ''}`}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  )
}

/** A key to press. Hidden where there is no keyboard. */
export function KeyHint({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <kbd
      aria-hidden="true"
      className={`touch:hidden rounded border border-current/40 px-1 font-mono text-[11px] leading-4 ${className ?? ''}`}
    >
      {children}
    </kbd>
  )
}
