import { useSession } from '../app/session.ts'
import { addDays, londonDay, monthName } from '../format/dates.ts'
import { inputClass } from '../parts/field.tsx'

const MONTHS_BACK = 12

export const monthNow = () => londonDay(new Date()).slice(0, 7)

/** The month that an address names; the current one where it names none. */
export const monthOf = (text: string | undefined) =>
  text !== undefined && /^\d{4}-\d{2}$/.test(text) ? text : monthNow()

/** The month in which the business began: nothing of it is older. */
export const useFirstMonth = () => londonDay(new Date(useSession().partner.created_at)).slice(0, 7)

interface MonthPickerProps {
  readonly chosen: string
  /** Undefined is the current month, so that its address stays true when the next one begins. */
  readonly onChoose: (month: string | undefined) => void
}

export function MonthPicker({ chosen, onChoose }: MonthPickerProps) {
  const now = monthNow()
  const first = useFirstMonth()
  const months = [now]
  while (months.length < MONTHS_BACK && months.at(-1)! > first)
    months.push(addDays(`${months.at(-1)}-01`, -1).slice(0, 7))
  if (!months.includes(chosen)) months.push(chosen)
  return (
    <div className="w-44">
      <select
        aria-label="Month"
        className={inputClass}
        value={chosen}
        onChange={(event) => onChoose(event.target.value === now ? undefined : event.target.value)}
      >
        {months.map((month) => (
          <option key={month} value={month}>
            {monthName(month)}
          </option>
        ))}
      </select>
    </div>
  )
}
