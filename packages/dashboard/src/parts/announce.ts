// One polite live region for the whole page: it says what changed by itself.

let region: HTMLElement | null = null

export function announce(message: string): void {
  region ??= document.querySelector<HTMLElement>('#announcer')
  if (region === null) return
  // The same sentence twice would not be read twice.
  region.textContent = region.textContent === message ? `${message}\u00a0` : message
}
