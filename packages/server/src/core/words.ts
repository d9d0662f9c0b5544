// Dates and figures as people in Britain write them.
import { type Month, londonMidnight } from './london-month.ts'

const DAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', dateStyle: 'long' })
const MONTH = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', year: 'numeric', month: 'long' })

const TIME = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', timeStyle: 'medium' })

/** Such as 1 November 2026, 09:05:00. */
export function momentInWords(moment: Date): string {
  return `${DAY.format(moment)}, ${TIME.format(moment)}`
}

/** Such as 1 November 2026. */
export function dayInWords(moment: Date): string {
  return DAY.format(moment)
}

/** Such as October 2026. */
export function monthInWords(month: Month): string {
  return MONTH.format(londonMidnight(month))
}

/** Such as 1 attempt, or 2 attempts. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`
}

/** Groups the thousands of a figure that is text already: 12345.60 becomes 12,345.60. */
export function grouped(figure: string): string {
  return figure.replace(/\d(?=(?:\d{3})+(?:\.|$))/g, '$&,')
}
