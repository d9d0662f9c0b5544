import { useRef } from 'react'

/**
 * Where the focus was when something opened over the page. Radix gives it back to a trigger of its own only, and what is
 * opened by a state has none.
 */
export function useReturnFocus() {
  const before = useRef<HTMLElement | null>(null)
  return {
    remember: () => {
      before.current = opener()
    },
    giveBack: (event: Event) => {
      event.preventDefault()
      if (before.current?.isConnected === true) before.current.focus()
    },
  }
}

/** An item of a menu goes away with it; what opened the menu stays. */
function opener(): HTMLElement | null {
  const active = document.activeElement
  const menu = active?.closest('[role=menu]')
  const labelledBy = menu?.getAttribute('aria-labelledby')
  const found = labelledBy == null ? active : document.getElementById(labelledBy)
  return found instanceof HTMLElement ? found : null
}
