import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { connectedRig, G1Rig } from '../support/g1-rig.ts'
import { textPage } from '../support/text-page.ts'

const HOUR_MS = 3_600_000

describe('the link to an Even G1', () => {
  test('EG1-1: both arms are connected, and asked for battery and firmware', async () => {
    const { glasses, events, model } = await connectedRig()
    assert.deepEqual(events.links.at(-1), {
      state: 'connected',
      parts: [
        { name: 'left', state: 'connected' },
        { name: 'right', state: 'connected' },
      ],
    })
    assert.match(glasses.firmware ?? '', /ver 1\.6\.5/)
    assert.deepEqual(
      model.arms.map(({ received }) => [received.get(0x4d), received.get(0x2c), received.get(0x23)]),
      [
        [1, 1, 1],
        [1, 1, undefined],
      ],
    )
    assert.deepEqual(events.problems, [])
  })

  test('EG1-1: with one arm the link is impaired, with none connect fails', async () => {
    const rig = new G1Rig()
    rig.model.right.faults.isAway = true
    await rig.connect()
    assert.equal(rig.events.links.at(-1)?.state, 'impaired')
    assert.equal(await rig.show('one eye'), true)
    assert.deepEqual(rig.model.left.lens.lines, ['one eye'])

    const away = new G1Rig()
    for (const { faults } of away.model.arms) faults.isAway = true
    await assert.rejects(away.connect(), /Neither arm of the glasses answers/)
    for (const { faults } of away.model.arms) faults.isAway = false
    await away.clock.advance(120_000)
    assert.deepEqual(
      away.model.arms.map(({ isConnected }) => isConnected),
      [false, false],
    )
  })

  test('a late arm does not hold up the other', async () => {
    const rig = await connectedRig()
    rig.model.right.faults.delayMs = 600
    const shown = rig.glasses.show(textPage('now'))
    await rig.clock.advance(100)
    assert.deepEqual(rig.model.left.lens.lines, ['now'])
    assert.equal(await rig.during(shown, 1000), true)
    assert.equal(rig.model.right.received.get(0x4e), 1)
  })

  test('EG1-3: a command without an answer is repeated twice', async () => {
    const rig = await connectedRig()
    Object.assign(rig.model.left.faults, { command: 0x4e, lostAcknowledgements: 2 })
    assert.equal(await rig.during(rig.glasses.show(textPage('again')), 3000), true)
    assert.equal(rig.model.left.received.get(0x4e), 3)
    assert.equal(rig.glasses.link.state, 'connected')
  })

  test('EG1-3: a write that fails is repeated as well', async () => {
    const rig = await connectedRig()
    rig.model.left.faults.failedWrites = 2
    assert.equal(await rig.show('third time'), true)
    assert.ok(rig.model.areLensesEqual)
    assert.equal(rig.glasses.link.state, 'connected')
  })

  test('EG1-3: after that the arm is lost, and connected again', async () => {
    const rig = await connectedRig()
    Object.assign(rig.model.left.faults, { command: 0x4e, lostAcknowledgements: 3 })
    const shown = rig.glasses.show(textPage('lost'))
    assert.equal(await rig.during(shown, 3500), true, 'the right arm has confirmed')
    assert.equal(rig.glasses.link.state, 'impaired')
    assert.match(rig.events.problems.join(), /left arm does not answer/)
    await rig.clock.advance(2000)
    assert.equal(rig.glasses.link.state, 'connected')
    assert.ok(rig.model.areLensesEqual)
  })

  test('a refused command is repeated twice, then reported; the link stays', async () => {
    const rig = await connectedRig()
    Object.assign(rig.model.right.faults, { command: 0x4e, refusals: 2 })
    assert.equal(await rig.show('third time'), true)
    Object.assign(rig.model.right.faults, { command: 0x4e, refusals: 3 })
    assert.equal(await rig.show('never'), false)
    assert.deepEqual(rig.events.problems, ['The right arm refused command 4e.'])
    assert.equal(rig.glasses.link.state, 'connected')
  })

  test('heartbeats keep an idle link for an hour', async () => {
    const rig = await connectedRig()
    const changes = rig.events.links.length
    await rig.clock.advance(HOUR_MS)
    assert.equal(rig.events.links.length, changes)
    for (const { received } of rig.model.arms) {
      const beats = received.get(0x25) ?? 0
      assert.ok(beats >= 450 && beats <= 451, `${beats}`)
    }
  })

  test('an arm that was away gets page, microphone and brightness when it is back', async () => {
    const rig = await connectedRig()
    rig.glasses.setMicrophone(true)
    rig.glasses.setBrightness(50)
    await rig.show('before')
    rig.model.right.faults.isAway = true
    rig.model.right.drop()
    rig.model.right.brightness = { level: 1, isAutomatic: true }
    await rig.show('while away')
    assert.equal(rig.glasses.link.state, 'impaired')
    await rig.clock.advance(60_000)
    rig.model.right.faults.isAway = false
    await rig.clock.advance(31_000)
    assert.equal(rig.glasses.link.state, 'connected')
    assert.deepEqual(rig.model.right.lens.lines, ['while away'])
    assert.equal(rig.model.right.microphone.isOn, true)
    assert.deepEqual(rig.model.right.brightness, { level: 21, isAutomatic: false })
  })

  test('EG1-7: disconnect leaves the dashboard, and nothing is reported afterwards', async () => {
    const rig = await connectedRig()
    await rig.show('bye')
    const disconnected = rig.glasses.disconnect()
    const { count } = rig.events
    await rig.during(disconnected, 2000)
    assert.deepEqual(
      rig.model.arms.map(({ lens }) => lens.kind),
      ['dashboard', 'dashboard'],
    )
    await rig.clock.advance(60_000)
    assert.equal(rig.events.count, count)
    assert.deepEqual(
      rig.model.arms.map(({ isConnected }) => isConnected),
      [false, false],
    )
  })

  test('EG1-7: disconnect ends also without an answer', async () => {
    const rig = await connectedRig()
    for (const { faults } of rig.model.arms) faults.lostAcknowledgements = 100
    await rig.during(rig.glasses.disconnect(), 1600)
    await rig.clock.advance(60_000)
    assert.deepEqual(
      rig.model.arms.map(({ isConnected }) => isConnected),
      [false, false],
    )
  })

  test('an hour of captions with losses of either arm ends with equal lenses', async () => {
    const rig = await connectedRig()
    rig.glasses.setMicrophone(true)
    let shown = 0
    const faults = [
      () => rig.model.left.drop(),
      () => rig.model.right.drop(),
      () => Object.assign(rig.model.left.faults, { lostAcknowledgements: 3, command: undefined }),
      () => Object.assign(rig.model.right.faults, { writesUntilLoss: 1 }),
      () => rig.model.left.notify(Uint8Array.of(0x4e, 0xca)),
      () => Object.assign(rig.model.right.faults, { refusals: 1, command: 0x4e }),
    ]
    for (let second = 0; second < 3600; second++) {
      void rig.glasses.show(textPage(`caption ${second}`)).then((isShown) => {
        if (isShown) shown += 1
      })
      if (second % 20 === 10) faults[(second / 20 - 0.5) % faults.length]?.()
      await rig.clock.advance(1000)
    }
    await rig.clock.advance(40_000)
    assert.equal(rig.glasses.link.state, 'connected')
    assert.ok(rig.model.areLensesEqual)
    assert.deepEqual(rig.model.left.lens.lines, ['caption 3599'])
    assert.equal(rig.model.right.microphone.isOn, true)
    assert.ok(shown > 3400, `${shown} of 3600`)
    assert.ok(rig.events.audioPackets.length > 34_000, `${rig.events.audioPackets.length} of 36000`)
  })
})
