import { useEffect } from 'react'
import { tinykeys } from 'tinykeys'

import { useShortcutsOn } from '../app/preferences.ts'
import { unlessTyping } from './unless-typing.ts'

/** j and k move through the rows of whatever page it is; Enter opens the one that has the focus, as with any link. */
export function useRowKeys(): void {
  const isOn = useShortcutsOn()
  useEffect(() => {
    if (!isOn) return
    return tinykeys(window, { j: unlessTyping(() => move(1)), k: unlessTyping(() => move(-1)) })
  }, [isOn])
}

function move(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row-link]')]
  const at = rows.findIndex((row) => row === document.activeElement)
  const next = at === -1 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by))
  rows[next]?.focus()
}
