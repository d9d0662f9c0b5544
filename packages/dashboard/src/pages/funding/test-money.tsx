import { useState } from 'react'

import { useAction } from '../../app/use-action.ts'
import { isMore, readAmount, usdc } from '../../format/money.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Choice, Field } from '../../parts/field.tsx'
import { addTestMoney } from '../../server/account.ts'

const MOST = '100000.00'

export function TestMoneyDialog({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('1,000.00')
  const [source, setSource] = useState<'bank' | 'chain'>('bank')
  const amount = readAmount(typed)
  const isWrong = amount === null || isMore('1.00', amount) || isMore(amount, MOST)
  const act = useAction(() => addTestMoney({ usdc: amount ?? '', source }), {
    done: ({ usdc: added }) => `${usdc(added)} of test money is on its way. It shows here in a moment.`,
    refresh: ['balance', 'funding'],
    onDone: onClose,
  })
  return (
    <Dialog title="Add test money" description="Sandbox only. Nothing real moves." isOpen onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isWrong && !act.isPending) act.mutate(undefined)
        }}
      >
        <Field
          label="Amount in USDC"
          inputMode="decimal"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          error={isWrong ? `Enter an amount from 1.00 to ${usdc(MOST)}.` : undefined}
        />
        <Choice
          legend="As if it came by"
          name="source"
          value={source}
          onChange={setSource}
          options={[
            { value: 'bank', label: 'Bank transfer', hint: 'Pounds, converted on arrival' },
            { value: 'chain', label: 'USDC', hint: 'Straight to the wallet address' },
          ]}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={act.isPending ? 'Adding…' : false}>
            Add test money
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
