import type { WebhookEndpointWithSecret } from '@kestrel/contract'

import { SecretBox } from '../parts/secret-box.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { SECRET_VARIABLE } from './verify-samples.ts'
import { VerifyTabs } from './verify-tabs.tsx'

export function EndpointSecretDialog({ made, onClose }: { made: WebhookEndpointWithSecret; onClose: () => void }) {
  return (
    <SecretDialog
      title="The endpoint’s secret"
      description="This is the only time it is shown. Your receiver needs it to tell our webhooks from forged ones."
      onClose={onClose}
    >
      {(kept) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <SecretBox
            secret={made.secret}
            what="secret"
            file={{ name: `kestrel-webhook-${made.environment}.env`, text: `${SECRET_VARIABLE}=${made.secret}\n` }}
            {...kept}
          />
          <VerifyTabs />
        </div>
      )}
    </SecretDialog>
  )
}
