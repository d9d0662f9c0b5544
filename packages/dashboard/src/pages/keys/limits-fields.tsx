import type { Environment } from '@kestrel/contract'

import { AmountLimits } from '../../limits/amount-limits.tsx'
import { Field, FieldFrame, inputClass } from '../../parts/field.tsx'
import { type LimitsDraft, scopesIn, withScope } from './limits-draft.ts'

interface FieldsProps {
  readonly environment: Environment
  readonly draft: LimitsDraft
  readonly onChange: (draft: LimitsDraft) => void
}

/** Every limit of a key. What is left empty is not limited. */
export function LimitsFields({ environment, draft, onChange }: FieldsProps) {
  return (
    <div className="grid gap-4">
      <ScopeBoxes environment={environment} draft={draft} onChange={onChange} />
      <AmountLimits draft={draft} onChange={(amounts) => onChange({ ...draft, ...amounts })} />
      <FieldFrame label="Only from these networks" optional hint="One per line, such as 203.0.113.0/24. Up to 20.">
        {(wiring) => (
          <textarea
            {...wiring}
            rows={2}
            className={`${inputClass} py-2 font-mono text-sm`}
            value={draft.networks}
            onChange={(event) => onChange({ ...draft, networks: event.target.value })}
          />
        )}
      </FieldFrame>
      <Field
        label="Stops on"
        optional
        type="date"
        hint="At the start of that day in London."
        value={draft.lastDay}
        onChange={(event) => onChange({ ...draft, lastDay: event.target.value })}
      />
    </div>
  )
}

function ScopeBoxes({ environment, draft, onChange }: FieldsProps) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1 text-sm font-medium">May be used for</legend>
      {scopesIn(environment).map(({ scope, words }) => (
        <label key={scope} className="flex items-start gap-2.5">
          <input
            type="checkbox"
            className="mt-1 accent-accent"
            checked={draft.scopes.includes(scope)}
            onChange={(event) => onChange(withScope(draft, environment, { scope, isOn: event.target.checked }))}
          />
          {words}
        </label>
      ))}
      {draft.scopes.length === 0 ? <p className="text-sm text-bad">Choose at least one.</p> : null}
    </fieldset>
  )
}
