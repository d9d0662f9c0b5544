// The tabs of one browser share a session. A tab that moves it to another business tells the others.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { hasMoved, showBusiness } from '../server/business.ts'
import { SESSION } from '../server/queries.ts'

const CHANNEL = 'kestrel.business'

/** This tab shows the business from now on, because its reader chose so. */
export function turnTo(slug: string): void {
  showBusiness(slug)
  const channel = new BroadcastChannel(CHANNEL)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin, and takes no other
  channel.postMessage(slug)
  channel.close()
}

/** The message is only a hint: where the session really is, is read from the server. */
export function useOtherTabs(): void {
  const client = useQueryClient()
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL)
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string' && hasMoved(data)) void client.invalidateQueries({ queryKey: SESSION })
    })
    return () => channel.close()
  }, [client])
}

const MOVED = 'kestrel.moved'

/** Loads the page anew, so that nothing of the business before stays in it, and has it say why. */
export function loadAnew(businessName: string): void {
  try {
    sessionStorage.setItem(MOVED, businessName)
  } catch {
    // Without storage there is no message, only the business's name in the corner.
  }
  location.replace('/dashboard/')
}

/** The business that the page was loaded anew for, once. */
export function whereMoved(): string | null {
  try {
    const name = sessionStorage.getItem(MOVED)
    sessionStorage.removeItem(MOVED)
    return name
  } catch {
    return null
  }
}
