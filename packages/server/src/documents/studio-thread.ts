// What runs in a thread of the studio: a job comes in, its answer goes out.
import { parentPort } from 'node:worker_threads'

import { PictureProblem } from './pictures/picture-problem.ts'
import { remakePicture } from './pictures/remake-picture.ts'
import type { StudioJob, StudioResult } from './studio.ts'

parentPort?.on('message', (job: StudioJob) => {
  void make(job)
    .catch(whyNot)
    .then((result) => parentPort?.postMessage(result, []))
})

async function make(job: StudioJob): Promise<StudioResult> {
  const { image, type } = await remakePicture({ image: Buffer.from(job.image), type: job.type })
  return { kind: 'made', bytes: image, type }
}

function whyNot(error: unknown): StudioResult {
  if (error instanceof PictureProblem) return { kind: 'refused', why: error.message }
  return { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
}
