import { createSign, generateKeyPairSync } from 'node:crypto'

/** The smallest certificate there is, signed by itself. */
export function selfSigned(): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const der = (tag: number, ...parts: Buffer[]): Buffer => {
    const body = Buffer.concat(parts)
    const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255]
    return Buffer.concat([Buffer.from([tag, ...length]), body])
  }
  const ecdsaWithSha256 = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex'))
  const name = der(0x30, der(0x31, der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('127.0.0.1')))))
  const time = (text: string) => der(0x17, Buffer.from(text))
  const toBeSigned = der(
    0x30,
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    der(0x30, time('250101000000Z'), time('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = createSign('sha256').update(toBeSigned).sign(privateKey)
  const certificate = der(0x30, toBeSigned, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))
  const cert = `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, cert }
}
