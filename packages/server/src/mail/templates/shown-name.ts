// A name that somebody chose, as a mail may show it: quoted, short, and without anything that a mail program would make
// into a link. What it really is stands in the dashboard.
const LONGEST = 60

export function shownName(name: string): string {
  const plain = name
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[:/\\@<>“”"]+/g, ' ')
    // A dot that something follows at once is how addresses look; the one of "Ltd." is not.
    .replaceAll(/[.。．｡](?=\S)/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const letters = [...plain]
  return `“${letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join('')}…` : plain}”`
}
