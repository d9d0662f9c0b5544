// Addresses that a partner could name to reach what is ours, or somebody else's, through us.
import { describe, expect, it } from 'vitest'

import { judgeUrl } from './endpoint-url.ts'
import { type FoundAddress, type Resolve, resolveChecked, NOT_PUBLIC } from './resolve-checked.ts'
import { createWebhookSender } from './send-webhook.ts'

const HOSTILE = [
  // Private, shared, link-local and metadata addresses.
  'https://10.0.0.1/',
  'https://10.255.255.255/hook',
  'https://172.16.0.1/',
  'https://172.31.255.254/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://100.100.100.200/latest/meta-data',
  'https://169.254.169.254/latest/meta-data/iam/security-credentials/',
  'https://169.254.170.2/v2/credentials',
  'https://168.63.129.16/machine?comp=goalstate',
  'https://192.0.0.192/opc/v1/instance/',
  'https://metadata.google.internal/computeMetadata/v1/',
  // This machine, which only a sandbox at home may use, and never by another writing.
  'https://127.0.0.1/',
  'https://127.255.255.254/',
  'https://localhost/',
  'https://localhost.:443/',
  'https://sub.localhost/',
  'https://0.0.0.0/',
  'https://0.1.2.3/',
  'https://[::1]/',
  'https://[::]/',
  // The same in decimal, octal, hexadecimal and short forms.
  'https://2130706433/',
  'https://0x7f000001/',
  'https://017700000001/',
  'https://0177.0.0.1/',
  'https://0x7f.1/',
  'https://127.1/',
  'https://127.0.1/',
  'https://3232235777/',
  'https://0xA9FEA9FE/',
  'https://0251.0376.0251.0376/',
  'https://１２７.０.０.１/',
  'https://①②⑦.⓪.⓪.①/',
  // IPv6 with an IPv4 address inside, and what is not public in IPv6.
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[0:0:0:0:0:ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[64:ff9b:1::a00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2002:a9fe:a9fe::]/',
  'https://[2001:0:7f00:1::]/',
  'https://[2001:db8::1]/',
  'https://[3fff::1]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/latest/meta-data',
  'https://[ff02::1]/',
  'https://[100::1]/',
  'https://[5f00::1]/',
  // Multicast, broadcast, reserved and for documentation.
  'https://224.0.0.1/',
  'https://239.255.255.250:1900/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://192.0.2.1/',
  'https://198.51.100.7/',
  'https://203.0.113.7/',
  'https://198.18.0.1/',
  'https://192.88.99.1/',
  // Names inside of networks.
  'https://intranet/',
  'https://printer.local/',
  'https://db.internal/',
  'https://vault.corp/',
  'https://router.lan/',
  'https://nas.home.arpa/',
  'https://facebookcorewwwi.onion/',
  // Other schemes, credentials, ports of mail and shells, and what is no URL at all.
  'http://hooks.example.com/',
  'ftp://hooks.example.com/',
  'file:///etc/passwd',
  'gopher://hooks.example.com/_SMTP',
  'javascript:alert(1)',
  'data:text/plain,x',
  'https://user:pass@hooks.example.com/',
  'https://hooks.example.com@10.0.0.1/',
  'https://:secret@hooks.example.com/',
  'https://hooks.example.com:22/',
  'https://hooks.example.com:25/',
  'https://hooks.example.com:80/',
  'https://hooks.example.com:0/',
  'https://hooks.example.com:65536/',
  'https://hooks.example.com/#fragment',
  'https://hooks.example.com\\@10.0.0.1/',
  'https://hooks.example.com/ x',
  'https://hooks.example.com\t.evil.test/',
  `https://hooks.example.com/${'ü'.repeat(500)}`,
  'https://',
  '//hooks.example.com/',
  'hooks.example.com',
  '',
]

describe('the address of a receiver', () => {
  it('there are at least sixty hostile ones', () => {
    expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(60)
  })

  it.each(HOSTILE)('is refused: %s', (text) => {
    const verdict = judgeUrl(text, false)
    expect(verdict).toMatchObject({ isAllowed: false, why: expect.stringMatching(/\w/) })
    // A service at home opens no other door than that to this machine, in its plain writing.
    const isHere = /^https:\/\/(127\.\d+\.\d+\.\d+|localhost|\[::1\])\//.test(text)
    expect(judgeUrl(text, true).isAllowed).toBe(isHere)
  })

  it.each([
    'https://hooks.example.com/kestrel?shop=1',
    'https://hooks.example.com:8443/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://müller.example/haken',
  ])('is allowed: %s', (text) => {
    expect(judgeUrl(text, false)).toMatchObject({ isAllowed: true, reach: 'public' })
  })

  it.each(['http://localhost:4242/hook', 'http://127.0.0.1:4242/', 'http://[::1]:4242/'])(
    'is allowed at home, and only there: %s',
    (text) => {
      expect(judgeUrl(text, true)).toMatchObject({ isAllowed: true, reach: 'here' })
      expect(judgeUrl(text, false)).toMatchObject({ isAllowed: false })
    },
  )
})

const answers =
  (...each: readonly (readonly string[])[]): Resolve =>
  () => {
    const now = each.length > 1 ? (each as string[][]).shift()! : each[0]!
    return Promise.resolve(now.map((address): FoundAddress => ({ address, family: address.includes(':') ? 6 : 4 })))
  }

const asking = (resolve: Resolve) => ({ resolve, whyClosed: () => null })

describe('a name', () => {
  it('is refused for one address among many that is not public', async () => {
    const resolve = answers(['93.184.215.14', '2606:4700::1111', '10.1.2.3'])
    // Not which: our own name servers may know more than the internet does.
    await expect(resolveChecked(asking(resolve), 'hooks.example.com', 'public')).rejects.toThrow(
      /^its name leads to no public address$/,
    )
  })

  it('that leads to this machine is not this machine', async () => {
    await expect(resolveChecked(asking(answers(['127.0.0.1'])), 'evil.example.com', 'public')).rejects.toThrow(
      NOT_PUBLIC,
    )
    await expect(resolveChecked(asking(answers(['93.184.215.14'])), 'evil.example.com', 'here')).rejects.toThrow(
      NOT_PUBLIC,
    )
  })

  it('that answers with a public address first and a private one later is refused at the connection', async () => {
    const changing = answers(['93.184.215.14'], ['127.0.0.1'])
    const sender = createWebhookSender({ resolve: changing })
    await sender.check('rebind.example.com', 'public')
    const url = new URL('https://rebind.example.com/')
    const attempt = await sender.send({ url, reach: 'public', headers: {}, body: '{}' })
    expect(attempt).toMatchObject({ status: null, error: 'refused_address' })
    await sender.close()
  })

  it('an address in the URL is checked at the connection as well', async () => {
    const sender = createWebhookSender()
    for (const text of [
      'http://10.0.0.1/',
      'http://169.254.169.254/',
      'http://[fd00:ec2::254]/',
      'http://127.0.0.1/',
    ]) {
      const attempt = await sender.send({ url: new URL(text), reach: 'public', headers: {}, body: '{}' })
      expect(attempt).toMatchObject({ status: null, error: 'refused_address' })
    }
    await sender.close()
  })
})
