// Leaving a field by pressing a button can bring up a note at the field. If the note came while the button is held down, it
// would push the button away from under the pointer, and the press would count for nothing.
import { useState, useSyncExternalStore } from 'react'

let isDown = false
const listeners = new Set<() => void>()

function turn(next: boolean): void {
  if (isDown === next) return
  isDown = next
  for (const listener of listeners) listener()
}

// The click comes right after the pointer is up, and belongs to the press.
const release = () => void setTimeout(turn, 0, false)

function listen(): void {
  // Other buttons open menus, and some systems never tell that they are up again.
  document.addEventListener('pointerdown', ({ button }) => turn(button === 0), true)
  for (const end of ['pointerup', 'pointercancel', 'contextmenu', 'dragstart', 'keydown']) {
    document.addEventListener(end, release, true)
  }
  window.addEventListener('blur', release)
  // A pointer that moves with no button down is up, also where nobody said so: after a native menu, or outside the window.
  document.addEventListener('pointermove', ({ buttons }) => void (isDown && buttons === 0 && release()), true)
}
listen()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The value, but as it was when the pointer went down until it is up again. */
export function useHeldStill<T>(value: T): T {
  const isHeld = useSyncExternalStore(subscribe, () => isDown)
  const [shown, setShown] = useState(value)
  if (isHeld) return shown
  if (!Object.is(shown, value)) setShown(value)
  return value
}
