import { CodeBlock } from '../parts/code-block.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { VERIFY_SAMPLES } from './verify-samples.ts'

export function VerifyTabs() {
  return (
    <Tabs
      label="How to verify a webhook"
      tabs={VERIFY_SAMPLES.map(({ id, label, code }) => ({
        id,
        label,
        content: <CodeBlock what={`${label} sample`} code={code} />,
      }))}
    />
  )
}
