// Short messages in the corner. Success is quiet and leaves by itself; a failure stays until it is closed.
import { useEffect, useSyncExternalStore } from 'react'

import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'

interface Toast {
  readonly id: number
  readonly tone: 'ok' | 'bad'
  readonly text: string
  readonly requestId: string | null
}

const QUIET_MS = 4_000

let toasts: readonly Toast[] = []
let lastId = 0
/** The newest message at the moment the open dialog was opened; null when no dialog is open. */
let behind: number | null = null
const watchers = new Set<() => void>()

function show(next: readonly Toast[]): void {
  toasts = next
  watchers.forEach((watcher) => watcher())
}

const close = (id: number) => show(toasts.filter((toast) => toast.id !== id))

export function say(text: string): void {
  const id = ++lastId
  show([...toasts, { id, tone: 'ok', text, requestId: null }])
  setTimeout(() => close(id), QUIET_MS)
}

/** Stays until it is closed: for what must not be missed by somebody who looks away. */
export function note(text: string): void {
  show([...toasts, { id: ++lastId, tone: 'ok', text, requestId: null }])
}

export function complain(text: string, requestId: string | null = null): void {
  show([...toasts, { id: ++lastId, tone: 'bad', text, requestId }])
}

/** Messages from before a dialog was opened are hidden behind it: on a phone both are at the bottom of the screen. */
export function useMessagesWait(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return
    const before = behind
    behind = lastId
    show([...toasts])
    return () => {
      behind = before
      show([...toasts])
    }
  }, [isOpen])
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export function Toasts() {
  const all = useSyncExternalStore(watch, () => toasts)
  const newest = behind
  const shown = newest === null ? all : all.filter(({ id }) => id > newest)
  return (
    <div
      role="region"
      aria-label="Messages"
      className={`pointer-events-none fixed inset-x-4 z-60 grid justify-items-end gap-2 no-print ${newest === null ? 'bottom-20 sm:bottom-4' : 'max-sm:top-4 sm:bottom-4'}`}
    >
      <div aria-live="polite" className="contents">
        {shown.map((toast) => (
          <div
            key={toast.id}
            className="pointer-events-auto flex max-w-sm animate-appear items-start gap-2.5 rounded-lg border border-line bg-surface py-2.5 pr-2 pl-3.5 shadow-xl"
          >
            <Icon
              name={toast.tone === 'ok' ? 'check' : 'alert'}
              className={`mt-1.5 ${toast.tone === 'ok' ? 'text-ok' : 'text-bad'}`}
            />
            <div className="min-w-0 py-1">
              <p>{toast.text}</p>
              {toast.requestId === null ? null : (
                <p className="font-mono text-xs text-muted">Request {toast.requestId}</p>
              )}
            </div>
            <IconButton icon="cross" label="Close message" onClick={() => close(toast.id)} />
          </div>
        ))}
      </div>
    </div>
  )
}
