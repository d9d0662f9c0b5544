// Days are those of Europe/London, like months: in summer they begin at 23:00 UTC of the day before.
const LONDON = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})
const LONDON_HOUR = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', hour: '2-digit', hourCycle: 'h23' })
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A day, as YYYY-MM-DD. */
export type LondonDay = string & { readonly kind: 'day' }

/** Null for a text that is no calendar day. The first and the last year of four digits have no day before or after. */
export function parseDay(text: string): LondonDay | null {
  if (/^(0000|9999)/.test(text)) return null
  const moment = new Date(`${text}T00:00:00Z`)
  // JavaScript takes 30 February for 2 March.
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(`${text}T`) ? (text as LondonDay) : null
}

let lastHour = Number.NaN
let dayOfLastHour = '' as LondonDay

/** London is whole hours ahead of UTC, so that an hour has one day: it, or its month, is asked for several times with every payout. */
export function londonDay(moment: Date): LondonDay {
  const hour = Math.floor(moment.getTime() / HOUR_MS)
  if (hour === lastHour) return dayOfLastHour
  const day = writtenDay(moment)
  // Further back it was by the sun.
  if (hour >= 0) {
    lastHour = hour
    dayOfLastHour = day
  }
  return day
}

function writtenDay(moment: Date): LondonDay {
  // en-GB writes the three as 15/07/2026.
  const [day, month, year] = LONDON.format(moment).split('/')
  return `${year}-${month}-${day}` as LondonDay
}

/** The moment at which a day begins in London. */
export function startOfDay(day: LondonDay): Date {
  const utcMidnight = new Date(`${day}T00:00:00Z`)
  // In summer UTC's midnight is 01:00 in London, whose own was an hour before.
  return LONDON_HOUR.format(utcMidnight) === '01' ? new Date(utcMidnight.getTime() - HOUR_MS) : utcMidnight
}

/** The next day on the calendar. */
export function dayAfter(day: LondonDay): LondonDay {
  return daysAfter(day, 1)
}

/** The day `count` days later on the calendar. */
export function daysAfter(day: LondonDay, count: number): LondonDay {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10) as LondonDay
}

/** `count` days in a row, of which `last` is the last. */
export function daysUpTo(last: LondonDay, count: number): LondonDay[] {
  const [year = 0, month = 0, day = 0] = last.split('-').map((part) => Number.parseInt(part, 10))
  return Array.from(
    { length: count },
    (_, index) => new Date(Date.UTC(year, month - 1, day - count + 1 + index)).toISOString().slice(0, 10) as LondonDay,
  )
}
