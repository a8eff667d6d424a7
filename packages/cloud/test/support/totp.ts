import { createHmac } from 'node:crypto'

/** The time step, of 30 s, of the last code of each secret. */
const steps = new Map<string, number>()

/**
 * Returns the next code of an authenticator app (RFC 6238), since each is accepted once. The first one is that of the last
 * 30 s; three are accepted within 30 s.
 * @param secret base32
 */
export function totpCode(secret: string): string {
  const current = Math.floor(Date.now() / 30_000)
  const step = Math.max(current - 1, (steps.get(secret) ?? 0) + 1)
  steps.set(secret, step)
  const bits = [...secret]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', key).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
