const TYPING = 'input, textarea, select, [contenteditable], [role=dialog], [role=menu]'

/** Single letters mean nothing while somebody types or a dialog is open. */
export const unlessTyping = (run: () => void) => (event: KeyboardEvent) => {
  if (event.target instanceof Element && event.target.closest(TYPING) !== null) return
  event.preventDefault()
  run()
}
