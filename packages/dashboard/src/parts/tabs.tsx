import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

interface TabsProps {
  readonly label: string
  readonly tabs: readonly { readonly id: string; readonly label: string; readonly content: ReactNode }[]
}

export function Tabs({ label, tabs }: TabsProps) {
  return (
    <Radix.Root defaultValue={tabs[0]?.id ?? ''}>
      <Radix.List aria-label={label} className="mb-4 flex gap-1 border-b border-line">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.id}
            value={tab.id}
            className="-mb-px border-b-2 border-transparent px-3 py-2 touch:py-3 font-medium text-muted hover:text-ink data-[state=active]:border-ink data-[state=active]:text-ink"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.id} value={tab.id} className="outline-offset-4">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}

interface SegmentsProps<T extends string | number> {
  readonly label: string
  readonly value: T
  readonly onChange: (value: T) => void
  readonly options: readonly { readonly value: T; readonly label: string }[]
}

/** One of a few, chosen in place. */
export function Segments<T extends string | number>({ label, value, onChange, options }: SegmentsProps<T>) {
  return (
    <div role="group" aria-label={label} className="inline-flex rounded-lg bg-sunken p-0.5">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className="rounded-md px-3 py-1 touch:py-2.5 text-sm text-muted hover:text-ink aria-pressed:bg-surface aria-pressed:font-medium aria-pressed:text-ink dark:aria-pressed:bg-selected"
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}
