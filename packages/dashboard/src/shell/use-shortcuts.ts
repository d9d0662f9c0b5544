import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { tinykeys } from 'tinykeys'

import { useShortcutsOn } from '../app/preferences.ts'
import { useCanPay } from '../app/use-can-pay.ts'
import { PAGES } from './navigation.ts'
import { unlessTyping } from './unless-typing.ts'

interface Doors {
  readonly openCommands: () => void
  readonly openHelp: () => void
}

export function useShortcuts({ openCommands, openHelp }: Doors): void {
  const navigate = useNavigate()
  const isOn = useShortcutsOn()
  const canPay = useCanPay()
  useEffect(
    () =>
      tinykeys(window, {
        '$mod+KeyK': (event) => {
          event.preventDefault()
          openCommands()
        },
      }),
    [openCommands],
  )
  useEffect(() => {
    if (!isOn) return
    const pages = PAGES.map(({ to, letter }) => [`g ${letter}`, unlessTyping(() => void navigate({ to }))] as const)
    return tinykeys(window, {
      ...Object.fromEntries(pages),
      'Shift+?': unlessTyping(openHelp),
      '/': unlessTyping(() => focusSearch(openCommands)),
      ...(canPay ? { n: unlessTyping(() => void navigate({ to: '/payouts/new' })) } : {}),
    })
  }, [isOn, canPay, navigate, openHelp, openCommands])
}

/** The search field of the page, or the command menu where there is none. */
function focusSearch(otherwise: () => void): void {
  const field = document.querySelector<HTMLInputElement>('input[type=search]')
  if (field === null) otherwise()
  else field.focus()
}
