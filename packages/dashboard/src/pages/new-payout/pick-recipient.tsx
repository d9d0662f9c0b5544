import type { RecipientSummary } from '@kestrel/contract'
import { Command } from 'cmdk'
import { Dialog } from 'radix-ui'

import { Icon } from '../../parts/icon.tsx'
import { Time } from '../../parts/time.tsx'

interface PickProps {
  readonly recipients: readonly RecipientSummary[]
  readonly onPick: (recipient: RecipientSummary) => void
  readonly onClose: () => void
}

/** Identifies a recipient, whatever the order of the list. */
const identityOf = ({ name, account_last4 }: RecipientSummary) => `${name ?? ''} ${account_last4 ?? ''}`

/** Found by typing: there may be two hundred. */
export default function PickRecipient({ recipients, onPick, onClose }: PickProps) {
  return (
    <Dialog.Root open onOpenChange={(next) => (next ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-veil" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-x-3 top-[12vh] z-50 mx-auto max-w-xl animate-appear overflow-hidden rounded-card border border-line bg-surface shadow-2xl"
        >
          <Dialog.Title className="sr-only">Paid before</Dialog.Title>
          <Command label="Paid before" loop>
            <div className="flex items-center gap-2.5 border-b border-line px-4">
              <Icon name="search" className="text-muted" />
              <Command.Input
                placeholder="Name or last 4 digits"
                className="h-12 w-full bg-transparent touch:text-[16px] outline-none"
              />
            </div>
            <Command.List className="max-h-[60vh] overflow-y-auto p-2">
              <Command.Empty className="px-3 py-6 text-center text-muted">
                Nobody among those paid last matches. Enter the name and the account instead.
              </Command.Empty>
              {recipients.map((recipient) => (
                <Command.Item
                  key={identityOf(recipient)}
                  value={identityOf(recipient)}
                  onSelect={() => onPick(recipient)}
                  className="flex cursor-pointer items-center gap-2.5 rounded-md px-3 py-2 touch:py-3 data-[selected=true]:bg-selected"
                >
                  <span className="min-w-0 flex-1 truncate">
                    {recipient.name} <span className="num text-muted">··{recipient.account_last4}</span>
                  </span>
                  <span className="text-sm text-muted">
                    <Time at={recipient.last_paid_at} />
                  </span>
                </Command.Item>
              ))}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
