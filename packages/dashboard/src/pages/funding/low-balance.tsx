import type { Settings } from '@kestrel/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { useIsAdmin, useScope, useSession } from '../../app/session.ts'
import { useAction } from '../../app/use-action.ts'
import { amountMistake, grouped, readAmount, usdc } from '../../format/money.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Field } from '../../parts/field.tsx'
import { WhoCan } from '../../parts/states.tsx'
import { changeSettings } from '../../server/account.ts'
import { settingsQuery } from '../../server/queries.ts'

/** When the wallet holds less than this, the overview warns, and in live a mail does. */
export function LowBalance() {
  const settings = useQuery(settingsQuery(useScope())).data
  const isAdmin = useIsAdmin()
  const { partner } = useSession()
  if (settings === undefined) return null
  const now = settings.low_balance_usdc
  return (
    <Card title="Low balance">
      <p className="mb-3 text-muted">
        {now === null
          ? 'Choose an amount. When the wallet holds less, the overview says so, and in live every admin gets a mail.'
          : `When the wallet holds less than ${usdc(now)}, the overview says so, and in live every admin gets a mail.`}
      </p>
      {isAdmin ? (
        <Threshold key={now} settings={settings} />
      ) : (
        <WhoCan>Only admins change this. Ask an admin of {partner.name}.</WhoCan>
      )}
    </Card>
  )
}

function Threshold({ settings: { low_balance_usdc: now } }: { settings: Settings }) {
  const [typed, setTyped] = useState(now === null ? '' : grouped(now))
  const amount = readAmount(typed)
  const isWrong = typed.trim() !== '' && amount === null
  const act = useAction(() => changeSettings({ low_balance_usdc: amount }), {
    done: 'Saved.',
    refresh: ['settings'],
  })
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isWrong && !act.isPending) act.mutate(undefined)
      }}
    >
      <Field
        label="Warn below, in USDC"
        inputMode="decimal"
        placeholder="1,000.00"
        className="w-56"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={isWrong ? amountMistake(typed) : undefined}
      />
      <Button type="submit" busy={act.isPending ? 'Saving…' : false}>
        Save
      </Button>
    </form>
  )
}
