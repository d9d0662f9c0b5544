// Our documents' typeface: Geist, as in the dashboard. Reading a font takes longer than drawing a page with it, so both
// weights are read once, for the first document.
import type { Font } from 'fontkit'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

export interface Typeface {
  readonly regular: Font
  readonly bold: Font
}

let typeface: Promise<Typeface> | undefined

export function readTypeface(): Promise<Typeface> {
  return (typeface ??= Promise.all([openFont('400Regular'), openFont('600SemiBold')]).then(([regular, bold]) => ({
    regular,
    bold,
  })))
}

async function openFont(weight: string): Promise<Font> {
  const { create } = await import('fontkit')
  const path = createRequire(import.meta.url).resolve(`@expo-google-fonts/geist/${weight}/Geist_${weight}.ttf`)
  const font = create(await readFile(path))
  // A collection holds several fonts; these files hold one.
  if ('fonts' in font) throw new Error(`${path} is a collection of fonts.`)
  return font
}
