import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'

import { createClosedNetworks } from './closed-networks.ts'

describe('closed networks', () => {
  const whyClosed = createClosedNetworks(['93.184.215.0/24', '9.9.9.9', '2606:4700::/32'], () => [
    '2a00:1450::7',
    '8.8.4.4',
  ])

  it.each(['93.184.215.255', '9.9.9.9', '2606:4700::1111', '2606:4700:0:0:0:0:0:1'])('%s is closed', (address) => {
    expect(whyClosed(address)).toBe('a closed')
  })

  it.each(['8.8.4.4', '2a00:1450::7', '2a00:1450:0:0:0:0:0:7'])('%s is this machine’s own', (address) => {
    expect(whyClosed(address)).toBe('this machine’s own')
  })

  it.each(['93.184.216.1', '9.9.9.10', '8.8.8.8', '2606:4701::1', '2a00:1450::8'])('%s is open', (address) => {
    expect(whyClosed(address)).toBe(null)
  })

  it('are all addresses that this machine has, if nobody says otherwise', () => {
    const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
    expect(own.length).toBeGreaterThan(0)
    for (const { address } of own) expect(createClosedNetworks([])(address)).toBe('this machine’s own')
  })

  it('are those that it has now, and not those of its start', () => {
    const now = ['8.8.4.4']
    const changing = createClosedNetworks([], () => now)
    now.push('8.8.8.8')
    expect(changing('8.8.8.8')).toBe('this machine’s own')
  })
})
