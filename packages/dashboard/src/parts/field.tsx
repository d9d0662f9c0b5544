import { type ComponentProps, type ReactNode, useId } from 'react'

import { useHeldStill } from './held-still.ts'
import { Icon } from './icon.tsx'

export const inputClass =
  'w-full rounded-control border border-control bg-surface px-3 min-h-9 touch:min-h-11 text-base touch:text-[16px] text-ink aria-invalid:border-bad'

interface FrameProps {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly warning?: string | undefined
  readonly optional?: boolean
  /** Length and limit of the text; shown when little room is left. */
  readonly count?: { readonly length: number; readonly most: number } | undefined
  readonly className?: string | undefined
}

interface Wiring {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

/** From here on somebody who types wants to know how much room is left. */
const NEARLY_FULL = 0.8

/** Label above, hint and error below, all tied to the control for screen readers. */
export function FieldFrame({ children, ...props }: FrameProps & { children: (wiring: Wiring) => ReactNode }) {
  const id = useId()
  const { label, hint, optional, count, className } = props
  const [error, warning] = [useHeldStill(props.error), useHeldStill(props.warning)]
  const isFilling = count !== undefined && count.length >= count.most * NEARLY_FULL
  const notes = [
    hint === undefined ? null : `${id}-hint`,
    isFilling ? `${id}-count` : null,
    warning === undefined ? null : `${id}-warning`,
    error === undefined ? null : `${id}-error`,
  ].filter((note) => note !== null)
  const wiring = {
    id,
    'aria-describedby': notes.length === 0 ? undefined : notes.join(' '),
    'aria-invalid': error === undefined ? undefined : (true as const),
  }
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
        {optional === true ? <span className="font-normal text-muted"> (optional)</span> : null}
      </label>
      {children(wiring)}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
          {hint}
        </p>
      )}
      {isFilling ? (
        <p id={`${id}-count`} className="num mt-1 text-sm text-muted">
          {count.length} of {count.most} characters
        </p>
      ) : null}
      {warning === undefined ? null : <Note id={`${id}-warning`} tone="text-warn" text={warning} />}
      {error === undefined ? null : <Note id={`${id}-error`} tone="text-bad" text={error} />}
    </div>
  )
}

function Note({ id, tone, text }: { id: string; tone: string; text: string }) {
  return (
    <p id={id} className={`mt-1 flex items-start gap-1.5 text-sm ${tone}`}>
      <Icon name="alert" size={14} className="mt-0.5" />
      {text}
    </p>
  )
}

type FieldProps = FrameProps & Omit<ComponentProps<'input'>, 'className'> & { readonly prefix?: string }

export function Field({ label, hint, error, warning, optional, count, className, prefix, ...input }: FieldProps) {
  return (
    <FieldFrame {...{ label, error, warning, hint, count, className }} optional={optional ?? false}>
      {(wiring) => (
        <div className="relative">
          {prefix === undefined ? null : (
            <span aria-hidden="true" className="absolute inset-y-0 left-3 flex items-center text-muted">
              {prefix}
            </span>
          )}
          <input {...input} {...wiring} className={`${inputClass} ${prefix === undefined ? '' : 'pl-7'}`} />
        </div>
      )}
    </FieldFrame>
  )
}

type LinesProps = FrameProps & Omit<ComponentProps<'textarea'>, 'className'>

/** For what has several lines, such as an address. */
export function LinesField({ label, hint, error, warning, optional, className, ...textarea }: LinesProps) {
  return (
    <FieldFrame {...{ label, error, warning, hint, className }} optional={optional ?? false}>
      {(wiring) => <textarea rows={4} {...textarea} {...wiring} className={`${inputClass} py-2`} />}
    </FieldFrame>
  )
}

type SelectProps = FrameProps & Omit<ComponentProps<'select'>, 'className'>

export function SelectField({ label, hint, error, warning, optional, className, children, ...select }: SelectProps) {
  return (
    <FieldFrame {...{ label, error, warning, hint, className }} optional={optional ?? false}>
      {(wiring) => (
        <select {...select} {...wiring} className={inputClass}>
          {children}
        </select>
      )}
    </FieldFrame>
  )
}

interface ChoiceProps<T extends string> {
  readonly legend: string
  readonly name: string
  readonly value: T
  readonly onChange: (value: T) => void
  readonly options: readonly { readonly value: T; readonly label: string; readonly hint?: string }[]
}

/** A few radio buttons, each with a line that explains it. */
export function Choice<T extends string>({ legend, name, value, onChange, options }: ChoiceProps<T>) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      <div className="grid gap-2 sm:auto-rows-fr sm:grid-cols-[repeat(auto-fit,minmax(11rem,1fr))]">
        {options.map((option) => (
          <label
            key={option.value}
            className="flex items-start gap-2.5 rounded-control border border-line px-3 py-2 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name={name}
              className="mt-1 accent-accent"
              checked={value === option.value}
              onChange={() => onChange(option.value)}
            />
            <span>
              <span className="block font-medium">{option.label}</span>
              {option.hint === undefined ? null : <span className="block text-sm text-muted">{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
