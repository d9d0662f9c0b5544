// Dates as people in Britain read them: Europe/London, day before month, 24 hours. UTC stands in the tooltip.

const ZONE = 'Europe/London'

const format = (options: Intl.DateTimeFormatOptions, timeZone: string = ZONE) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, ...options })

const DAY = format({ day: 'numeric', month: 'long', year: 'numeric' })
const WEEKDAY = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const SHORT_DAY = format({ day: 'numeric', month: 'short' })
const SHORT_DAY_YEAR = format({ day: 'numeric', month: 'short', year: 'numeric' })
const CLOCK = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const CLOCK_SECONDS = format({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
const MONTH = format({ month: 'long', year: 'numeric' })
const ISO_DAY = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, year: 'numeric', month: '2-digit', day: '2-digit' })
const OFFSET = format({ timeZoneName: 'longOffset' })

/** 14 November 2026 */
export const longDay = (at: string | Date) => DAY.format(new Date(at))

/** Saturday 14 November 2026 */
export const weekday = (at: Date) => WEEKDAY.format(at).replace(',', '')

/** 14 Nov, or 14 Nov 2025 when it was another year. */
export function shortDay(at: string, now: Date): string {
  const moment = new Date(at)
  const isThisYear = londonDay(moment).slice(0, 4) === londonDay(now).slice(0, 4)
  return (isThisYear ? SHORT_DAY : SHORT_DAY_YEAR).format(moment).replace('Sept', 'Sep')
}

/** 14 Nov, 15:42 */
export const shortTime = (at: string, now: Date) => `${shortDay(at, now)}, ${CLOCK.format(new Date(at))}`

/** 15:42 */
export const clockTime = (at: string | Date) => CLOCK.format(new Date(at))

/** 14 November 2026 at 15:42:08 */
export const fullTime = (at: string) => `${longDay(at)} at ${CLOCK_SECONDS.format(new Date(at))}`

/** 2026-11-14 15:42:08 UTC */
export const utcTime = (at: string) => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** The day in London, as 2026-11-14. */
export const londonDay = (at: Date) => ISO_DAY.format(at)

/** November 2026 of 2026-11, 2026-11-01 or a moment. */
export const monthName = (month: string) => MONTH.format(new Date(`${month.slice(0, 7)}-15T12:00:00Z`))

/** The first day of the month after. */
export function firstOfNextMonth(month: string): string {
  const [year = 0, index = 1] = month.slice(0, 7).split('-').map(Number)
  const next = index === 12 ? `${year + 1}-01` : `${year}-${String(index + 1).padStart(2, '0')}`
  return `${next}-01`
}

/** 1 December of 2026-12-01 */
export function dayAndMonth(day: string): string {
  return longDay(`${day}T12:00:00Z`).replace(/ \d{4}$/, '')
}

/** The first moment of a day in London, as the API wants it. */
export const londonMidnight = (day: string) => inLondon(day, '00:00')

/** A moment of a day in London; null while a part is missing. */
export function londonMoment(day: string, time: string): string | null {
  return isDay(day) && /^\d\d:\d\d$/.test(time) ? inLondon(day, time) : null
}

function inLondon(day: string, time: string): string {
  const name = OFFSET.formatToParts(new Date(`${day}T${time}:00Z`)).find((part) => part.type === 'timeZoneName')?.value
  const offset = name?.replace('GMT', '') ?? ''
  return new Date(`${day}T${time}:00${offset === '' ? 'Z' : offset}`).toISOString()
}

export function addDays(day: string, days: number): string {
  const moment = new Date(`${day}T12:00:00Z`)
  moment.setUTCDate(moment.getUTCDate() + days)
  return moment.toISOString().slice(0, 10)
}

export const isDay = (text: string | undefined): text is string =>
  text !== undefined &&
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(`${text}T12:00:00Z`)) &&
  addDays(text, 0) === text

/** The last day of the month of 2026-11 or 2026-11-14. */
export const lastOfMonth = (month: string) => addDays(firstOfNextMonth(month), -1)

/** How many days later the second day is. */
export function daysFrom(first: string, second: string): number {
  return Math.round((Date.parse(`${second}T12:00:00Z`) - Date.parse(`${first}T12:00:00Z`)) / 86_400_000)
}

/** 3 November 2026, 1 to 30 November 2026, or 28 October 2026 to 3 November 2026. */
export function daysInWords(from: string, to: string): string {
  const last = longDay(`${to}T12:00:00Z`)
  if (from === to) return last
  const isOneMonth = from.slice(0, 7) === to.slice(0, 7)
  return `${isOneMonth ? Number(from.slice(8)) : longDay(`${from}T12:00:00Z`)} to ${last}`
}

const STEPS = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const

/** "2 minutes ago", "in 3 hours", "just now". */
export function relative(at: string, now: Date): string {
  const difference = new Date(at).getTime() - now.getTime()
  const step = STEPS.find(({ ms }) => Math.abs(difference) >= ms)
  if (step === undefined) return difference > 0 ? 'in a moment' : 'just now'
  const count = Math.trunc(Math.abs(difference) / step.ms)
  const words = `${count} ${step.unit}${count === 1 ? '' : 's'}`
  return difference > 0 ? `in ${words}` : `${words} ago`
}

/** When something happened. The server's clock may be ahead of the reader's: then it happened just now. */
export function ago(at: string, now: Date): string {
  return relative(new Date(at) > now ? now.toISOString() : at, now)
}
