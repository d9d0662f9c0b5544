import { describe, expect, it } from 'vitest'

import { readTypeface } from './typeface.ts'
import { writable } from './writable.ts'

describe('what a document can say', () => {
  it.each([
    ['Łódź, Þór, Đặng & Çağrı', 'Łódź, Þór, Đặng & Çağrı'],
    ['£1,234.50 – “Щука” · €', '£1,234.50 – “Щука” · €'],
    ['Zoe\u0308', 'Zoë'],
    ['\uFF2B\uFF30', 'KP'],
    ['東京 مرحبا', '?? ?????'],
    ['', ''],
  ])('%j becomes %j', async (text, said) => {
    const { regular, bold } = await readTypeface()
    expect(writable(regular, text)).toBe(said)
    expect(writable(bold, text)).toBe(said)
  })
})
