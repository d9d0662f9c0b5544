import { ago, fullTime, shortDay, shortTime, utcTime } from '../format/dates.ts'

type Style = 'time' | 'day' | 'full' | 'ago'

const STYLES: Record<Style, (at: string, now: Date) => string> = {
  time: shortTime,
  day: shortDay,
  full: fullTime,
  ago,
}

/** A moment in London, with its full form and UTC in the tooltip. */
export function Time({ at, as = 'time' }: { at: string; as?: Style }) {
  return (
    <time dateTime={at} title={`${fullTime(at)}, London\n${utcTime(at)}`} className="num whitespace-nowrap">
      {STYLES[as](at, new Date())}
    </time>
  )
}
