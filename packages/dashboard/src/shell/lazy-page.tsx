// A page that is loaded when it is first opened. If that fails, it says so, and loads once the connection is back.
import { type ComponentType, useCallback, useEffect, useState } from 'react'

import { PageMissing } from './lost.tsx'

/** Null when the page could not be fetched: an error would only reach the console. */
type Load<Name extends string> = () => Promise<Readonly<Record<Name, ComponentType>> | undefined>

export function lazyPage<Name extends string>(load: Load<Name>, name: Name) {
  let Found: ComponentType | undefined
  let loading: Promise<void> | undefined
  const fetchIt = async () => {
    const part = await load().catch(() => undefined)
    Found = part?.[name]
    loading = undefined
  }
  const preload = () => (Found === undefined ? (loading ??= fetchIt()) : Promise.resolve())
  function LazyPage() {
    const [tries, setTries] = useState(0)
    const tryAgain = useCallback(() => void preload().then(() => setTries((count) => count + 1)), [])
    const isMissing = Found === undefined
    useEffect(() => {
      if (!isMissing) return
      tryAgain()
      addEventListener('online', tryAgain)
      return () => removeEventListener('online', tryAgain)
    }, [isMissing, tryAgain])
    if (Found !== undefined) return <Found />
    return tries === 0 ? null : <PageMissing />
  }
  return Object.assign(LazyPage, { preload })
}
