// Text from elsewhere on a terminal: a reference or a name must not move the cursor, change colours or turn the line around.

/** Controls, line separators, and what changes the direction of text. A new line is one of them. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu
/** Half of a pair: no character of its own. */
const HALF = /\p{Cs}/gu

export function visible(text: string): string {
  return text.replaceAll(UNSEEN, escaped).replaceAll(HALF, escaped)
}

/** JSON on one line, in ASCII where a terminal would act on the character: a program reads the same text. */
export function visibleJson(value: unknown): string {
  return visible(JSON.stringify(value))
}

function escaped(character: string): string {
  return `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`
}
