import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ManualClock } from '@glasses-cloud/phone/test/manual-clock'
import { EvenG1Model, G1_PACE_MS } from '../src/index.ts'

async function connect() {
  const clock = new ManualClock()
  const { left, right } = new EvenG1Model(clock)
  const answers: string[] = []
  let losses = 0
  for (const arm of [left, right])
    await arm.connect({
      notification: (bytes) => answers.push(Buffer.from(bytes).toString('hex')),
      disconnected: () => {
        losses += 1
      },
    })
  const send = async (arm: typeof left, hex: string) => {
    answers.length = 0
    void arm.write(Buffer.from(hex, 'hex')).catch(() => {})
    await clock.advance(G1_PACE_MS)
    return answers[0]
  }
  return { clock, left, right, answers, send, losses: () => losses }
}

describe('the model of an arm of an Even G1', () => {
  test('commands are answered as documented, at the pace', async () => {
    const { send, left, right, clock, answers } = await connect()
    const cases: [typeof left, string, string | undefined][] = [
      [left, '4d01', '4dc9'],
      [left, '4e070100710000010141', '4ec907'],
      [left, '4e0701003100000101', '4eca07'],
      [left, '250600090409', '250600090409'],
      [left, '2c01', '2c6650000000'],
      [left, '0e01', '0eca01'],
      [right, '0e01', '0ec901'],
      [right, '0e00', '0ec900'],
      [left, '012901', '01c9'],
      [left, '18', '18c9'],
      [left, '200d0e', '20ca'],
      [left, '1600000000', '1600000000ca'],
      [left, '99', undefined],
    ]
    for (const [arm, command, answer] of cases) assert.equal(await send(arm, command), answer, command)
    answers.length = 0
    void left.write(Uint8Array.of(0x18))
    await clock.advance(G1_PACE_MS - 1)
    assert.deepEqual(answers, [])
    await clock.advance(1)
    assert.deepEqual(answers, ['18c9'])
  })

  test('after 32 s without a command an arm ends the link', async () => {
    const { clock, left, right, send, losses } = await connect()
    await clock.advance(31_000)
    await send(left, '2c01')
    await clock.advance(2000)
    assert.deepEqual([left.isConnected, right.isConnected, losses()], [true, false, 1])
    await clock.advance(31_000)
    assert.equal(left.isConnected, false)
  })

  test('a text is drawn when all its packets are there, in any order', async () => {
    const { left, send } = await connect()
    const [first, second] = ['4e0102007100000101e697', '4e0102017100000101a5']
    assert.equal(await send(left, second), '4ec901')
    assert.equal(left.lens.kind, 'dashboard')
    await send(left, first)
    assert.deepEqual(left.lens.lines, ['日'])
    await send(left, '4e02020071000001014142')
    assert.deepEqual(left.lens.lines, ['日'], 'an unfinished text is not drawn')
  })

  test('what does not fit is cut and counted', async () => {
    const { left } = await connect()
    left.lens.showText(`${'m'.repeat(37)}\n2\n3\n4\n5\n6`)
    assert.deepEqual(left.lens.lines, ['m'.repeat(36), '2', '3', '4', '5'])
    assert.equal(left.lens.overflows, 2)
  })

  test('a picture with a missing piece, or another checksum, is refused', async () => {
    const { left, send } = await connect()
    const first = `1500001c0000${'00'.repeat(194)}`
    await send(left, first)
    await send(left, `1502${'00'.repeat(194)}`)
    assert.equal(await send(left, '200d0e'), '20ca')
    await send(left, first)
    assert.equal(await send(left, '200d0e'), '20c9')
    assert.equal(await send(left, '16deadbeef'), '16deadbeefca')
    await send(left, `1500${'00'.repeat(194)}`)
    assert.equal(await send(left, '200d0e'), '20ca', 'the first piece needs the address')
  })

  test('the faults are refusals, lost answers, delays, distance and a loss in between', async () => {
    const { clock, left, send, answers, losses } = await connect()
    Object.assign(left.faults, { refusals: 1, command: 0x4d })
    assert.equal(await send(left, '18'), '18c9')
    assert.equal(await send(left, '4d01'), '4dca01')
    Object.assign(left.faults, { lostAcknowledgements: 1, delayMs: 100 })
    assert.equal(await send(left, '4d01'), undefined)
    assert.equal(await send(left, '4d01'), undefined)
    await clock.advance(100)
    assert.deepEqual(answers, ['4dc9'])
    left.faults.writesUntilLoss = 1
    await send(left, '4d01')
    assert.equal(losses(), 0)
    await send(left, '4d01')
    assert.equal(losses(), 1)
    left.faults.failedWrites = 1
    await left.connect({ notification: () => {}, disconnected: () => {} })
    const failed = assert.rejects(left.write(Uint8Array.of(0x18)), /could not send/)
    await clock.advance(G1_PACE_MS)
    await failed
    assert.equal(left.isConnected, true)
    left.faults.isAway = true
    await assert.rejects(left.connect({ notification: () => {}, disconnected: () => {} }), /out of range/)
  })
})
