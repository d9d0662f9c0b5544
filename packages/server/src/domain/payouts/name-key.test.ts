import { describe, expect, it } from 'vitest'

import { nameKey } from './name-key.ts'

describe('two names are the same', () => {
  it.each([
    ['Amara Okafor', 'AMARA  okafor'],
    ['Amara Okafor', 'Okafor, Amara'],
    ['Zoë Brontë', 'Zoe Bronte'],
    ['Zoe\u0308 Bronte', 'Zoë Bronte'],
    ['Siobhán O’Neill', "Siobhan O'Neill"],
    ['Siobhán O’Neill', 'Siobhan ONeill'],
    ['Anne-Marie Smith', 'Anne Marie Smith'],
    ['John McDonald', 'John Mc Donald'],
    ['Łukasz Groß', 'Lukasz Gross'],
    ['Søren Æbelø', 'Soren Aebelo'],
    ['IRMAK Yıldız', 'Irmak YILDIZ'],
    ['Ａｍａｒａ Okafor', 'Amara Okafor'],
    ['Thistle & Reed Limited', 'Thistle and Reed Ltd.'],
    ['Amara\u00a0Okafor', 'Amara Okafor'],
    ['Юлия Ёлкина', 'юлия ЕЛКИНА'],
  ])('%s and %s', (one, other) => expect(nameKey(one)).toBe(nameKey(other)))

  it.each([
    ['Amara Okafor', 'Amara Okafar'],
    ['John Smith', 'Joan Smith'],
    ['!!!', '???'],
    ['李明', '王明'],
  ])('but not %s and %s', (one, other) => expect(nameKey(one)).not.toBe(nameKey(other)))
})
