/** Runs in the browser: every piece of code gets a button that copies it. Without scripts the pages lack nothing else. */
export const DOCS_SCRIPT = `'use strict'
// Browsers give the clipboard to safe origins only: https, or this machine.
for (const pre of navigator.clipboard === undefined ? [] : document.querySelectorAll('main pre')) {
  const box = document.createElement('div')
  box.className = 'copied'
  pre.replaceWith(box)
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent)
    button.textContent = 'Copied'
    setTimeout(() => { button.textContent = 'Copy' }, 2000)
  })
  box.append(pre, button)
}
`
