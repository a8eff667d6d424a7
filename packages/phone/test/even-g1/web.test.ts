import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EvenG1Model, FakeBluetooth } from '@glasses-cloud/device-models'
import { chooseArm, chooseOtherArm, EvenG1, rememberedArms } from '../../src/even-g1/index.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { RecordedEvents } from '../support/recorded-events.ts'
import { textPage } from '../support/text-page.ts'

/** Two pairs of glasses nearby; the chooser records what it lists and chooses `wanted`. */
function nearby(wanted: string[]) {
  const clock = new ManualClock()
  const [own, other] = [new EvenG1Model(clock, 12), new EvenG1Model(clock, 7)]
  const lists: (readonly string[])[] = []
  const bluetooth = new FakeBluetooth([...other.arms, ...own.arms], (names) => {
    lists.push(names)
    const name = wanted.shift()
    return names.find((each) => name !== undefined && each.includes(name))
  })
  return { clock, own, bluetooth, lists }
}

describe('an Even G1 over Web Bluetooth', () => {
  for (const [first, second] of [
    ['12_L', '12_R'],
    ['12_R', '12_L'],
  ] as const)
    test(`EG1-30: the second chooser lists only the other arm of ${first}`, async () => {
      const { own, bluetooth, lists } = nearby([first, second])
      const arms = await chooseOtherArm(bluetooth, await chooseArm(bluetooth))
      assert.deepEqual([arms.left.name, arms.right.name], [own.left.name, own.right.name])
      assert.equal(lists[0]?.length, 4)
      assert.deepEqual(lists[1], [second === '12_L' ? own.left.name : own.right.name])
    })

  test('EG1-30: a closed chooser rejects', async () => {
    const { bluetooth } = nearby([])
    await assert.rejects(chooseArm(bluetooth), { name: 'NotFoundError' })
  })

  test('pages, events and audio pass, and one arm is connected again', async () => {
    const { clock, own, bluetooth } = nearby(['12_L', '12_R'])
    const arms = await chooseOtherArm(bluetooth, await chooseArm(bluetooth))
    const events = new RecordedEvents()
    const glasses = new EvenG1({ ...arms, clock, random: () => 0 })
    const connected = glasses.connect(events)
    await clock.advance(1000)
    await connected
    const shown = glasses.show(textPage('through the browser'))
    glasses.setMicrophone(true)
    await clock.advance(1000)
    assert.equal(await shown, true)
    assert.ok(own.areLensesEqual)
    own.left.emit(0x01)
    assert.deepEqual(events.gestures, [{ name: 'single_tap', side: 'left' }])
    assert.ok(events.audioPackets.length > 5)

    own.right.drop()
    assert.equal(glasses.link.state, 'impaired')
    await clock.advance(2000)
    assert.equal(glasses.link.state, 'connected')
    assert.equal(own.right.microphone.isOn, true)
    const { length } = events.gestures
    own.right.emit(0x01)
    assert.equal(events.gestures.length, length + 1, 'each event is reported once after a reconnection')

    const disconnected = glasses.disconnect()
    await clock.advance(1000)
    await disconnected
    assert.equal(own.right.isConnected, false)
  })

  test('operations run one at a time, and a failed one does not stop the next', async () => {
    const { clock, own, bluetooth } = nearby(['12_L', '12_R'])
    const { left } = await chooseOtherArm(bluetooth, await chooseArm(bluetooth))
    let isDisconnected = false
    const received: number[] = []
    await left.connect({
      notification: (bytes) => received.push(bytes[0] ?? 0),
      disconnected: () => {
        isDisconnected = true
      },
    })
    const writes = Promise.all([0x4d, 0x2c, 0x18].map((code) => left.write(Uint8Array.of(code, 1))))
    await clock.advance(1000)
    await writes
    assert.deepEqual(received, [0x4d, 0x2c, 0x18])

    own.left.faults.failedWrites = 1
    const rejected = assert.rejects(left.write(Uint8Array.of(0x20)), /could not send/)
    const next = left.write(Uint8Array.of(0x18))
    await clock.advance(1000)
    await Promise.all([rejected, next])
    assert.deepEqual(received.splice(3), [0x18])

    own.left.faults.writesUntilLoss = 0
    const failed = assert.rejects(left.write(Uint8Array.of(0x18)), /ended|disconnected/i)
    await clock.advance(1000)
    await failed
    assert.equal(isDisconnected, true)
    await assert.rejects(left.write(Uint8Array.of(0x18)), /not connected/)
    await left.connect({ notification: (bytes) => received.push(bytes[0] ?? 0), disconnected: () => {} })
    const again = left.write(Uint8Array.of(0x18))
    await clock.advance(1000)
    await again
    assert.deepEqual(received.slice(3), [0x18])
  })

  test('pairs that were chosen before are found again, where the browser remembers them', async () => {
    const { own, bluetooth } = nearby(['12_R', '12_L', '7_L'])
    assert.deepEqual(await rememberedArms(bluetooth), [])
    await chooseOtherArm(bluetooth, await chooseArm(bluetooth))
    await chooseArm(bluetooth)
    const pairs = await rememberedArms(bluetooth)
    assert.deepEqual(
      pairs.map(({ left, right }) => [left.name, right.name]),
      [[own.left.name, own.right.name]],
    )
    assert.deepEqual(await rememberedArms({ requestDevice: bluetooth.requestDevice.bind(bluetooth) }), [])
  })
})
