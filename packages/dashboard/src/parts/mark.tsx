import { initials } from '../format/people.ts'

/** The logo of a business, or its initials. */
export function Mark({ name, logo }: { name: string; logo: string | null }) {
  if (logo !== null) return <img src={logo} alt="" className="size-8 rounded-md bg-white object-contain" />
  return (
    <span
      aria-hidden="true"
      className="flex size-8 items-center justify-center rounded-md bg-ink text-xs font-semibold text-on-ink"
    >
      {initials(name)}
    </span>
  )
}
