// Before any page is opened: a browser is there, and the pages are built from the sources as they are now.
import { join } from 'node:path'

import type { TestProject } from 'vitest/node'

interface Program {
  readonly path: string
  readonly env: Readonly<Record<string, string>>
}

interface FoundBrowser extends Program {
  /** Shows pages at half the cost, and reads no PDF. */
  readonly shell: Program | null
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly browser: FoundBrowser
  }
}

interface Scripts {
  readonly findBrowser: (stream: NodeJS.WritableStream) => Promise<FoundBrowser>
  readonly ensureDashboardBuilt: (stream: NodeJS.WritableStream) => Promise<void>
}

const LIB = join(import.meta.dirname, '../../../../../scripts/lib')

export default async function setup(project: TestProject): Promise<void> {
  const { ensureDashboardBuilt } = (await import(join(LIB, 'build-dashboard.mjs'))) as Scripts
  await ensureDashboardBuilt(process.stdout)
  const { findBrowser } = (await import(join(LIB, 'find-browser.mjs'))) as Scripts
  project.provide('browser', await findBrowser(process.stdout))
}
