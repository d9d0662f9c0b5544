// The document that is written from the catalogue of promises, by its path.
import { type KeptFigures, promisesMarkdown } from './promises-markdown.ts'

/** From the root of the repository: what the last kept runs have counted. */
export const FIGURES = 'packages/server/test/prove/figures.json'

export function writtenPromises(read: (path: string) => string): Readonly<Record<string, string>> {
  return { 'docs/promises.md': promisesMarkdown(JSON.parse(read(FIGURES)) as KeptFigures) }
}
