import { useEffect } from 'react'
import { tinykeys } from 'tinykeys'

import { useShortcutsOn } from '../../app/preferences.ts'

/** j and k move through the rows; Enter opens the one that has the focus, as it does with any link. */
export function useRowKeys(onEscape: (() => void) | undefined): void {
  const isOn = useShortcutsOn()
  useEffect(() => {
    if (!isOn) return
    return tinykeys(window, { j: (event) => move(event, 1), k: (event) => move(event, -1) })
  }, [isOn])
  useEffect(() => {
    if (onEscape === undefined) return
    return tinykeys(window, {
      Escape: (event) => {
        if (document.querySelector('[role=dialog], [role=menu]') === null && !event.defaultPrevented) onEscape()
      },
    })
  }, [onEscape])
}

function move(event: KeyboardEvent, by: number): void {
  if (event.target instanceof Element && event.target.closest('input, textarea, select, [role=dialog]') !== null) return
  const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-row-link]')]
  const at = links.findIndex((link) => link === document.activeElement)
  const next = links[at === -1 ? (by > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + by))]
  event.preventDefault()
  next?.focus()
}
