import { EVENT_MEANINGS } from '@kestrel/contract/event-type'

import { Choice } from '../parts/field.tsx'
import { EVENT_GROUPS, type EndpointDraft, toggled } from './endpoint-draft.ts'

interface EventsFieldProps {
  readonly draft: EndpointDraft
  readonly onChange: (draft: EndpointDraft) => void
  readonly error: string | undefined
}

/** All events, or some of them, each named with what it means. */
export function EventsField({ draft, onChange, error }: EventsFieldProps) {
  return (
    <div className="grid gap-3">
      <Choice
        legend="Events"
        name="events"
        value={draft.wantsAll ? 'all' : 'some'}
        onChange={(value) => onChange({ ...draft, wantsAll: value === 'all' })}
        options={[
          { value: 'all', label: 'All events', hint: 'Also those that there will be.' },
          { value: 'some', label: 'Only some', hint: 'Choose the types yourself.' },
        ]}
      />
      {draft.wantsAll ? null : EVENT_GROUPS.map((group) => <Group key={group.about} {...{ draft, onChange, group }} />)}
      {error === undefined ? null : (
        <p role="alert" className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  )
}

interface GroupProps extends Omit<EventsFieldProps, 'error'> {
  readonly group: (typeof EVENT_GROUPS)[number]
}

function Group({ draft, onChange, group }: GroupProps) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1 text-sm font-medium">{group.about}</legend>
      {group.types.map((type) => (
        <label key={type} className="flex items-start gap-2.5 touch:py-1">
          <input
            type="checkbox"
            className="mt-1 accent-accent"
            checked={draft.types.includes(type)}
            onChange={() => onChange({ ...draft, types: toggled(draft.types, type) })}
          />
          <span className="min-w-0">
            <span className="block font-mono text-sm">{type}</span>
            <span className="block text-sm text-muted">{EVENT_MEANINGS[type]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
