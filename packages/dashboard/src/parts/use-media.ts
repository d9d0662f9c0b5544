import { useSyncExternalStore } from 'react'

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = matchMedia(query)
      media.addEventListener('change', onChange)
      return () => media.removeEventListener('change', onChange)
    },
    () => matchMedia(query).matches,
  )
}

/** Too narrow for a table: rows are shown on two lines instead. */
export const useIsNarrow = () => useMedia('(width < 48rem)')

/** Wide enough for a panel beside the list, and for a table of many columns. */
export const useIsWide = () => useMedia('(width >= 75rem)')
