import type { ChangeSettingsRequest, DoorCodeRequest, Settings } from '@kestrel/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'

import { Loaded } from '../../app/loaded.tsx'
import { Page } from '../../app/page.tsx'
import { useIsAdmin, useScope, useSession } from '../../app/session.ts'
import { isEmail } from '../../format/people.ts'
import { Button } from '../../parts/button.tsx'
import { Card, Fact, Facts } from '../../parts/card.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { Field } from '../../parts/field.tsx'
import { WhoCan } from '../../parts/states.tsx'
import { changeSettings } from '../../server/account.ts'
import { SESSION, settingsQuery } from '../../server/queries.ts'
import { useDoor } from '../../codes/use-door.tsx'
import { Appearance } from './appearance.tsx'
import { Branding } from './branding.tsx'
import { InvoiceDetails } from './invoice-details.tsx'
import { ResetSandbox } from './reset-sandbox.tsx'

export function SettingsPage() {
  const settings = useQuery(settingsQuery(useScope()))
  const isAdmin = useIsAdmin()
  const { environment } = useScope()
  const { partner } = useSession()
  return (
    <Page
      title="Settings"
      actions={isAdmin ? undefined : <WhoCan>Only admins change the business. Ask an admin of {partner.name}.</WhoCan>}
    >
      <Loaded query={settings}>
        {(found) => (
          <>
            {isAdmin ? <BusinessForm key={found.name} settings={found} /> : <BusinessFacts settings={found} />}
            <InvoiceDetails settings={found} mayChange={isAdmin} />
            <Branding settings={found} />
          </>
        )}
      </Loaded>
      <Appearance />
      {isAdmin && environment === 'sandbox' ? <ResetSandbox /> : null}
    </Page>
  )
}

function BusinessFacts({ settings }: { settings: Settings }) {
  return (
    <Card title="Business">
      <Facts>
        <Fact term="Name">{settings.name}</Fact>
        <Fact term="Billing email">{settings.billing_email ?? 'None'}</Fact>
        <Fact term="Contact email">{settings.contact_email ?? 'None'}</Fact>
      </Facts>
    </Card>
  )
}

interface Business {
  readonly name: string
  readonly billing: string
  readonly contact: string
}

/** An address can be replaced but not removed. */
const emailRule = (now: string | null) => (typed: string) =>
  isEmail(typed) || (now === null && typed.trim() === '') || 'Enter an email address such as you@business.co.uk.'

function changeIn({ name, billing, contact }: Business): ChangeSettingsRequest {
  return {
    name: name.trim(),
    ...(billing.trim() === '' ? {} : { billing_email: billing.trim() }),
    ...(contact.trim() === '' ? {} : { contact_email: contact.trim() }),
  }
}

/** A change of the billing or contact address is confirmed by a code; null when neither changes. */
function doorTo(settings: Settings, { billing_email, contact_email }: ChangeSettingsRequest): DoorCodeRequest | null {
  const isNew = (typed: string | undefined, now: string | null) => typed !== undefined && typed.toLowerCase() !== now
  const door = {
    ...(isNew(billing_email, settings.billing_email) ? { billing_email: billing_email ?? '' } : {}),
    ...(isNew(contact_email, settings.contact_email) ? { contact_email: contact_email ?? '' } : {}),
  }
  return Object.keys(door).length === 0 ? null : { action: 'settings.change', ...door }
}

function BusinessForm({ settings }: { settings: Settings }) {
  const client = useQueryClient()
  const { register, handleSubmit, formState, watch } = useForm<Business>({
    values: { name: settings.name, billing: settings.billing_email ?? '', contact: settings.contact_email ?? '' },
  })
  const change = changeIn(watch())
  const act = useDoor({
    door: doorTo(settings, change),
    verb: 'Save',
    run: (code) => changeSettings({ ...change, ...(code === undefined ? {} : { confirm_code: code }) }),
    done: 'Saved.',
    refresh: ['settings', 'compliance'],
    onDone: () => void client.invalidateQueries({ queryKey: SESSION }),
  })
  const { errors } = formState
  return (
    <Card title="Business">
      <form
        noValidate
        className="grid max-w-lg grid-cols-[minmax(0,1fr)] gap-4"
        onSubmit={(event) => void handleSubmit(() => act.start())(event)}
      >
        <Field
          label="Business name"
          maxLength={120}
          error={errors.name?.message}
          {...register('name', { validate: (typed) => typed.trim() !== '' || 'Enter the name of the business.' })}
        />
        <div>
          <p className="text-sm font-medium">Sign-in address</p>
          <Copyable text={`${location.origin}/dashboard/${settings.slug}`} what="sign-in address" />
        </div>
        <Field
          label="Billing email"
          type="email"
          hint="Invoices go there. A new address is confirmed by a code that we email to you."
          error={errors.billing?.message}
          {...register('billing', { validate: emailRule(settings.billing_email) })}
        />
        <Field
          label="Contact email"
          type="email"
          hint="For questions about payouts."
          error={errors.contact?.message}
          {...register('contact', { validate: emailRule(settings.contact_email) })}
        />
        <div>
          <Button kind="primary" type="submit" busy={act.isPending ? 'Saving…' : false}>
            Save
          </Button>
        </div>
      </form>
      {act.dialog}
    </Card>
  )
}
