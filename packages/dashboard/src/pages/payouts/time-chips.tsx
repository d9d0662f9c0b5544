import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { type PayoutSearch, timeWords } from './filter.ts'

interface TimeChipsProps {
  readonly search: PayoutSearch
  readonly onChange: (change: PayoutSearch) => void
}

/** Filters that came with a link from a figure on another page. Pressing one removes it. */
export function TimeChips({ search, onChange }: TimeChipsProps) {
  const completed = timeWords(search.completed_from, search.completed_to)
  const ended = timeWords(search.ended_from, search.ended_to)
  return (
    <>
      {completed === null ? null : (
        <Chip
          words={`Completed ${completed}`}
          onRemove={() => onChange({ completed_from: undefined, completed_to: undefined })}
        />
      )}
      {ended === null ? null : (
        <Chip
          words={`Failed, cancelled or returned ${ended}`}
          onRemove={() => onChange({ ended_from: undefined, ended_to: undefined })}
        />
      )}
    </>
  )
}

function Chip({ words, onRemove }: { words: string; onRemove: () => void }) {
  return (
    <Button
      kind="chosen"
      className="text-left whitespace-normal!"
      aria-label={`${words}: remove this filter`}
      onClick={onRemove}
    >
      {words}
      <Icon name="cross" size={14} />
    </Button>
  )
}
