import { ICON_PATHS, type IconName } from './icon-paths.ts'

/** Decoration only: the word beside it, or the name of its button, says what it means. */
export function Icon({ name, size = 16, className }: { name: IconName; size?: number; className?: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`shrink-0 ${className ?? ''}`}
    >
      <path d={ICON_PATHS[name]} />
    </svg>
  )
}
