import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort } from '../../src/local/embedded/ports.ts'
import { settingsText } from '../../src/local/embedded/settings.ts'
import { start, temporaryFolder, removeFolder } from './support.ts'
import { join } from 'node:path'

test('settings are quoted, and ours give way to the ones passed', () => {
  const text = settingsText(5499, { fsync: 'off', shared_buffers: '64MB', note: `a'b\\c` })
  expect(text).toContain(`\nfsync = 'off'\n`)
  expect(text).toContain(`\nshared_buffers = '64MB'\n`)
  expect(text).toContain(`\nnote = 'a''b\\\\c'\n`)
  expect(text).toContain(`\nport = '5499'\n`)
  expect(() => settingsText(5499, { 'a = 1\nb': '2' })).toThrow(/not a setting/)
  expect(() => settingsText(5499, { a: '1\nb = 2' })).toThrow(/one line/)
})

test('ports are searched upwards and never in the range for outgoing connections', async () => {
  const server = createServer()
  await once(server.listen(32_767, '127.0.0.1'), 'listening')
  try {
    await expect(freePort(32_767)).rejects.toThrow('ports 32767 to 32767 are all taken')
  } finally {
    server.close()
  }
  await expect(freePort(32_768)).rejects.toThrow(/not between/)
  await expect(freePort(80)).rejects.toThrow(/not between/)
})

test.runIf(process.platform !== 'win32')('a path that a shell would expand is refused', async () => {
  const folder = temporaryFolder()
  await expect(start(join(folder, '$HOME'), 25_910)).rejects.toThrow(/cannot work in .*\$HOME/)
  removeFolder(folder)
})
