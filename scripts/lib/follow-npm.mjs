// Half of what the next start waits for us to notice (PATIENCE_MS in local/embedded/data-dir-lock.ts); a service at rest wakes for it.
const CHECK_EVERY_MS = 500

/**
 * npm runs us through a shell, and a SIGTERM for npm (from a supervisor, or `kill`) ends npm and
 * that shell but never reaches us. When our parent is gone we therefore take it as our SIGTERM.
 */
export function stopWhenNpmDoes() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, CHECK_EVERY_MS)
  timer.unref()
}
