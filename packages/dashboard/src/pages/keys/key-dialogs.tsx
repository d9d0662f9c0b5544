import type { ApiKey, ApiKeyCreated, Environment, KeyRotation } from '@kestrel/contract'
import { useState } from 'react'

import { useAction } from '../../app/use-action.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Choice, Field } from '../../parts/field.tsx'
import { SecretDialog } from '../../parts/secret-dialog.tsx'
import { Time } from '../../parts/time.tsx'
import { TypedConfirmation } from '../../parts/typed-confirmation.tsx'
import { createKey, revokeKey, rotateKey } from '../../server/account.ts'
import { useDoor } from '../../codes/use-door.tsx'
import { KeySecret } from '../../keys/key-secret.tsx'
import { changesIn, draftOf, mistakeIn, NO_LIMITS } from './limits-draft.ts'
import { LimitsFields } from './limits-fields.tsx'

/** A live key moves real money, so whoever makes one is asked. */
const CODE_FOLLOWS = 'A live key moves real money. We email you a code to confirm it, and every admin is told.'

interface CreateProps {
  readonly environment: Environment
  readonly onCreated: (key: ApiKeyCreated) => void
  readonly onClose: () => void
}

export function CreateKeyDialog({ environment, onCreated, onClose }: CreateProps) {
  const [label, setLabel] = useState('')
  const [draft, setDraft] = useState(() => draftOf(NO_LIMITS(environment)))
  const limits = changesIn(draft, NO_LIMITS(environment))
  const wanted = { environment, ...(label.trim() === '' ? {} : { label: label.trim() }), ...limits }
  const act = useDoor({
    door: environment === 'live' ? { action: 'key.create', ...wanted } : null,
    verb: 'Create key',
    run: (code) => createKey(wanted, code),
    refresh: ['keys'],
    onDone: onCreated,
  })
  if (act.dialog !== null) return act.dialog
  return (
    <Dialog
      title={`Create a ${environment} key`}
      description="Name it after the program that will use it, so that you know later what stops when you revoke it."
      isOpen
      onClose={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (mistakeIn(draft) === null) act.start()
        }}
      >
        <Field
          label="Label"
          optional
          maxLength={60}
          placeholder="orders-service"
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
        <details className="mt-4">
          <summary className="cursor-pointer font-medium">Limits</summary>
          <div className="mt-3">
            <LimitsFields environment={environment} draft={draft} onChange={setDraft} />
          </div>
        </details>
        {environment === 'live' ? <p className="mt-3 text-sm text-muted">{CODE_FOLLOWS}</p> : null}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={act.isPending ? 'Creating…' : false}>
            Create key
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

export function KeySecretDialog({ created, onClose }: { created: ApiKeyCreated; onClose: () => void }) {
  return (
    <SecretDialog
      title="Your new key"
      description="This is the only time the secret is shown. Keep it where your program reads its secrets."
      onClose={onClose}
    >
      {(kept) => <KeySecret secret={created.secret} environment={created.environment} {...kept} />}
    </SecretDialog>
  )
}

const GRACES: readonly { value: `${KeyRotation['grace_seconds']}`; label: string; hint?: string }[] = [
  { value: '0', label: 'Now', hint: 'The old key stops at once. For a key that leaked.' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '24 hours', hint: 'Time to change the key in your programs.' },
  { value: '604800', label: '7 days' },
]

interface RotateProps {
  readonly chosen: ApiKey
  /** With five keys there is no room for two at a time. */
  readonly isFull: boolean
  readonly onCreated: (key: ApiKeyCreated) => void
  readonly onClose: () => void
}

export function RotateKeyDialog({ chosen, isFull, onCreated, onClose }: RotateProps) {
  const [grace, setGrace] = useState<`${KeyRotation['grace_seconds']}`>(isFull ? '0' : '86400')
  const grace_seconds = Number(grace) as KeyRotation['grace_seconds']
  const isLive = chosen.environment === 'live'
  const act = useDoor({
    door: isLive ? { action: 'key.rotate', key_id: chosen.id, grace_seconds } : null,
    verb: 'Rotate key',
    run: (code) => rotateKey(chosen.id, grace_seconds, code),
    refresh: ['keys'],
    onDone: onCreated,
  })
  if (act.dialog !== null) return act.dialog
  return (
    <Dialog
      title={`Rotate ${chosen.label ?? chosen.key_prefix}`}
      description="You get a new key now. How long should the old one still work?"
      isOpen
      onClose={onClose}
    >
      <Choice
        legend="The old key works until"
        name="grace"
        value={grace}
        onChange={setGrace}
        options={isFull ? GRACES.slice(0, 1) : GRACES}
      />
      {isFull ? (
        <p className="mt-2 text-sm text-muted">
          There are five keys already, so the old one cannot stay beside the new.
        </p>
      ) : null}
      {isLive ? <p className="mt-3 text-sm text-muted">{CODE_FOLLOWS}</p> : null}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" busy={act.isPending ? 'Rotating…' : false} onClick={act.start}>
          Rotate key
        </Button>
      </DialogActions>
    </Dialog>
  )
}

export function RevokeKeyDialog({ chosen, onClose }: { chosen: ApiKey; onClose: () => void }) {
  const name = chosen.label ?? chosen.key_prefix
  const act = useAction(() => revokeKey(chosen.id), {
    done: 'The key was revoked.',
    refresh: ['keys'],
    onDone: onClose,
  })
  return (
    <Dialog
      title={`Revoke ${name}?`}
      description={
        <>
          Whatever uses it stops working at once. This cannot be undone.{' '}
          {chosen.last_used_at === null ? (
            'It was never used.'
          ) : (
            <>
              It was last used <Time at={chosen.last_used_at} as="ago" />.
            </>
          )}
        </>
      }
      isOpen
      onClose={onClose}
    >
      <TypedConfirmation
        name={name}
        verb="Revoke key"
        busy={act.isPending ? 'Revoking…' : false}
        onConfirm={() => act.mutate(undefined)}
        onClose={onClose}
      />
    </Dialog>
  )
}
