import { inputClass } from './field.tsx'
import { Icon } from './icon.tsx'
import { useTyped } from './use-typed.ts'

interface SearchFieldProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => void
}

const ALWAYS = () => true

export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  const { typed, type, leave } = useTyped(value, onChange, ALWAYS)
  return (
    <div className="relative min-w-0 flex-1 basis-56 sm:max-w-72">
      <Icon name="search" size={14} className="absolute top-1/2 left-3 -translate-y-1/2 text-muted" />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={typed}
        onChange={(event) => type(event.target.value)}
        onBlur={leave}
        onKeyDown={(event) => (event.key === 'Enter' ? leave() : undefined)}
        className={`${inputClass} pl-8`}
      />
    </div>
  )
}
