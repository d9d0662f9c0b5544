import type { ReactNode } from 'react'

import { Button } from './button.tsx'
import { Copyable } from './copy-button.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'

interface EmptyProps {
  readonly icon?: IconName
  readonly title: string
  readonly children?: ReactNode
}

/** Nothing here yet, or nothing that matches: says which, and what to do. */
export function EmptyState({ icon = 'inbox', title, children }: EmptyProps) {
  return (
    <div className="mx-auto flex max-w-xl flex-col items-center px-5 py-12 text-center">
      <span className="mb-3 flex size-10 items-center justify-center rounded-full bg-sunken text-muted">
        <Icon name={icon} size={20} />
      </span>
      <p className="font-semibold">{title}</p>
      {children === undefined ? null : (
        <div className="mt-2 flex max-w-full flex-col items-center gap-4 text-muted">{children}</div>
      )}
    </div>
  )
}

interface ErrorProps {
  readonly title: string
  readonly message: string
  readonly requestId: string | null
  readonly onRetry?: () => void
}

export function ErrorState({ title, message, requestId, onRetry }: ErrorProps) {
  return (
    <div role="alert" className="mx-auto flex max-w-xl flex-col items-center px-5 py-12 text-center">
      <span className="mb-3 flex size-10 items-center justify-center rounded-full bg-bad-soft text-bad">
        <Icon name="alert" size={20} />
      </span>
      <p className="font-semibold">{title}</p>
      <p className="mt-1 text-muted">{message}</p>
      {requestId === null ? null : (
        <p className="mt-2 text-sm text-muted">
          Request <Copyable text={requestId} what="request id" />
        </p>
      )}
      {onRetry === undefined ? null : (
        <Button icon="refresh" className="mt-4" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}

/** One line in place of the actions that a viewer does not have. */
export function WhoCan({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-center gap-2 text-sm text-muted">
      <Icon name="eye" size={14} />
      {children}
    </p>
  )
}
