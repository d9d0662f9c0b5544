// The same look as packages/server/src/local/front-door/step.ts, needed here because these lines
// appear before the TypeScript is built. A test beside step.ts keeps the two identical.

const LABEL_WIDTH = 17
const DETAIL_WIDTH = 46
const TIME_WIDTH = 12

export function formatDuration(ms) {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

export function wantsColour(stream) {
  return stream.isTTY === true && !process.env.NO_COLOR
}

export function stepLine({ label, detail, ms }, colour) {
  const tick = colour ? '\u001b[32m✔\u001b[39m' : '✔'
  const time = formatDuration(ms).padStart(TIME_WIDTH)
  const dimTime = colour ? `\u001b[2m${time}\u001b[22m` : time
  return `  ${tick} ${label.padEnd(LABEL_WIDTH)}${detail.padEnd(DETAIL_WIDTH)}${dimTime}`
}

/** Shows what is going on while it lasts, on a terminal only; the finished line replaces it. */
export function showPending(stream, label, detail) {
  if (stream.isTTY !== true) return () => {}
  stream.write(`  … ${label.padEnd(LABEL_WIDTH)}${detail}`)
  return () => stream.write('\r\u001b[K')
}
