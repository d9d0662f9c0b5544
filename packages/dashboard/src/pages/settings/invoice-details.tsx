import type { Settings } from '@kestrel/contract'
import { useForm } from 'react-hook-form'

import { useAction } from '../../app/use-action.ts'
import { Button } from '../../parts/button.tsx'
import { Card, Fact, Facts } from '../../parts/card.tsx'
import { Field, LinesField } from '../../parts/field.tsx'
import { changeSettings } from '../../server/account.ts'

const MOST_LINES = 6
const LONGEST_LINE = 80

interface Details {
  readonly name: string
  readonly address: string
  readonly vatNumber: string
}

/** To whom invoices are made out; what was issued stays as it is. */
export function InvoiceDetails({ settings, mayChange }: { settings: Settings; mayChange: boolean }) {
  return (
    <Card title="On your invoices">{mayChange ? <Form settings={settings} /> : <Shown settings={settings} />}</Card>
  )
}

function Shown({ settings }: { settings: Settings }) {
  return (
    <Facts>
      <Fact term="Made out to">{settings.billing_name ?? settings.name}</Fact>
      <Fact term="Address">{settings.billing_address.join(', ') || 'None'}</Fact>
      <Fact term="VAT number">{settings.vat_number ?? 'None'}</Fact>
    </Facts>
  )
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function addressRule(typed: string): true | string {
  const lines = linesOf(typed)
  if (lines.length > MOST_LINES) return `Use ${MOST_LINES} lines at most; there are ${lines.length}.`
  return lines.every((line) => line.length <= LONGEST_LINE) || `Use ${LONGEST_LINE} characters a line at most.`
}

function Form({ settings }: { settings: Settings }) {
  const { register, handleSubmit, formState } = useForm<Details>({
    values: {
      name: settings.billing_name ?? '',
      address: settings.billing_address.join('\n'),
      vatNumber: settings.vat_number ?? '',
    },
  })
  const act = useAction(
    ({ name, address, vatNumber }: Details) =>
      changeSettings({
        billing_name: name.trim() || null,
        billing_address: linesOf(address),
        vat_number: vatNumber.trim() || null,
      }),
    { done: 'Saved. Invoices from the next one on have it.', refresh: ['settings'] },
  )
  return (
    <form
      noValidate
      className="grid max-w-lg grid-cols-[minmax(0,1fr)] gap-4"
      onSubmit={(event) => void handleSubmit((given) => act.mutate(given))(event)}
    >
      <Field
        label="Made out to"
        optional
        maxLength={120}
        placeholder={settings.name}
        hint="The registered name, where it differs from the business name."
        {...register('name')}
      />
      <LinesField
        label="Registered address"
        optional
        error={formState.errors.address?.message}
        {...register('address', { validate: addressRule })}
      />
      <Field label="VAT number" optional maxLength={30} {...register('vatNumber')} />
      <div>
        <Button kind="primary" type="submit" busy={act.isPending ? 'Saving…' : false}>
          Save invoice details
        </Button>
      </div>
    </form>
  )
}
