// Runs in one of the studio's threads: a job comes in, its result goes out.
import { parentPort } from 'node:worker_threads'

import { invoicePdf } from './invoice-pdf.ts'
import { PictureProblem } from './pictures/picture-problem.ts'
import { remakePicture } from './pictures/remake-picture.ts'
import { receiptPdf } from './receipt-pdf.ts'
import type { StudioJob, StudioResult } from './studio.ts'

parentPort?.on('message', (job: StudioJob) => {
  void make(job)
    .catch(whyNot)
    .then((result) => parentPort?.postMessage(result, []))
})

async function make(job: StudioJob): Promise<StudioResult> {
  switch (job.kind) {
    case 'invoice':
      return { kind: 'made', bytes: await invoicePdf(job.facts), type: 'application/pdf' }
    case 'receipt':
      return { kind: 'made', bytes: await receiptPdf(job.facts), type: 'application/pdf' }
    case 'picture': {
      const { image, type } = await remakePicture({ image: Buffer.from(job.image), type: job.type })
      return { kind: 'made', bytes: image, type }
    }
  }
}

function whyNot(error: unknown): StudioResult {
  if (error instanceof PictureProblem) return { kind: 'refused', why: error.message }
  return { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
}
