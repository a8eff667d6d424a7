import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BrilliantGlasses, type Peripheral, type PeripheralEvents } from '../../src/brilliant/index.ts'
import { BrilliantRig, connectedRig } from '../support/brilliant-rig.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { RecordedEvents } from '../support/recorded-events.ts'
import { textPage } from '../support/text-page.ts'

const KINDS = ['Frame', 'Halo'] as const
/** A program that a wearer left on the glasses: it never ends, and shows that it runs. */
const OWN_PROGRAM = `
frame.bluetooth.receive_callback(function() end)
while true do frame.display.text('mine', 60, 100) frame.display.show() frame.sleep(0.1) end`

describe('the link to a Frame or a Halo', () => {
  for (const kind of KINDS)
    test(`BRL-1: a ${kind} gets the program, and runs it`, async () => {
      const { events, model, glasses } = await connectedRig(kind)
      assert.deepEqual(
        events.links.map(({ state }) => state),
        ['connecting', 'connected'],
      )
      assert.equal(glasses.model, `Brilliant ${kind}`)
      assert.ok(model.isRunning)
      assert.deepEqual(events.problems, [])
      assert.equal(model.printed[0], `max${model.maxLength}`)
      assert.equal(model.printed.includes('n0'), true)
      assert.match(glasses.diagnostics(), /sent run \d+ bytes done\n.* link connected/)
    })

  test('BRL-1: a peripheral that is neither of them is refused', async () => {
    const { model } = new BrilliantRig('Frame')
    const other = { ...model, name: 'Even G1_12_L_4A3B2C' }
    assert.throws(
      () => new BrilliantGlasses({ peripheral: Object.assign(Object.create(model), other) }),
      /Even G1_12_L_4A3B2C is neither a Frame nor a Halo/,
    )
  })

  test('statements that are lost on either way are sent again, and the program is complete', async () => {
    const rig = new BrilliantRig('Frame')
    const connected = rig.glasses.connect(rig.events)
    await rig.clock.advance(700)
    for (const fault of ['lostWrites', 'lostNotifications', 'failedWrites'] as const) {
      rig.model.faults[fault] = 2
      await rig.clock.advance(2100)
    }
    await rig.during(connected, 3000)
    assert.equal(await rig.show('complete'), true)
    assert.deepEqual(rig.model.lens.lines, ['complete'])
    assert.deepEqual(rig.events.problems, [])
  })

  for (const kind of KINDS)
    test(`BRL-3: the own program of a ${kind} is stopped, and runs again afterwards`, async () => {
      const rig = new BrilliantRig(kind)
      rig.model.mainProgram = OWN_PROGRAM
      await rig.model.connect({ notification: () => {}, disconnected: () => {} })
      await rig.during(rig.model.write(Uint8Array.of(0x04)), 500)
      assert.ok(rig.model.isRunning)
      await rig.connect()
      assert.equal(rig.model.lens.lines.length, 0)
      await rig.show('ours')
      assert.deepEqual(rig.model.lens.lines, ['ours'])
      await rig.during(rig.glasses.disconnect(), 1000)
      await rig.clock.advance(1000)
      assert.ok(rig.model.isRunning)
      assert.ok(rig.model.lens.lines.includes('mine'))
    })

  test('BRL-4: connect says why the glasses cannot be used, and ends all attempts', async () => {
    const away = new BrilliantRig('Halo')
    away.model.faults.isAway = true
    await assert.rejects(away.connect(), /Brilliant Halo does not answer\. Take it off its charger/)
    const silent = new BrilliantRig('Frame')
    silent.model.faults.lostNotifications = 1000
    await assert.rejects(silent.during(silent.glasses.connect(silent.events), 5000), /does not answer/)
    for (const rig of [away, silent]) {
      rig.model.faults.isAway = false
      await rig.clock.advance(120_000)
      assert.equal(rig.model.isConnected, false)
    }
  })

  test('BRL-4: a link with short packets is refused, as is a program that the console rejects', async () => {
    const short = new BrilliantRig('Frame')
    short.model.maxLength = 60
    await assert.rejects(
      short.connect(),
      /sends only 60 bytes at once to the Brilliant Frame; 100 are needed/,
    )
    const clock = new ManualClock()
    let client: PeripheralEvents | undefined
    const peripheral: Peripheral = {
      name: 'Frame 00',
      connect: async (events) => {
        client = events
      },
      write: async (bytes) => {
        const isQuestion = new TextDecoder().decode(bytes).includes('max')
        const answer = isQuestion ? 'max243' : `[string "s=''n=0"]:1: unexpected symbol`
        clock.setTimeout(() => client?.notification(new TextEncoder().encode(answer)), 10)
      },
      disconnect: () => {},
    }
    const glasses = new BrilliantGlasses({ peripheral, clock })
    await assert.rejects(
      clock.during(glasses.connect(new RecordedEvents()), 2000),
      /does not accept the program\. Its firmware may be too old/,
    )
  })

  test('BRL-5: a packet without an acknowledgement is sent again, and carried out once', async () => {
    const rig = await connectedRig('Frame')
    const before = rig.model.packets
    rig.model.faults.lostNotifications = 2
    rig.glasses.setBrightness(100)
    await rig.clock.advance(2500)
    assert.equal(rig.model.packets - before, 3)
    assert.equal(rig.model.brightness, 2)
    for (const fault of ['lostWrites', 'failedWrites'] as const) {
      rig.model.faults[fault] = 2
      assert.equal(await rig.during(rig.glasses.show(textPage('x'.repeat(20), fault)), 3000), true)
      assert.deepEqual(rig.model.lens.lines, ['x'.repeat(20), fault])
    }
    assert.equal(rig.glasses.link.state, 'connected')
  })

  test('BRL-5: after that the glasses are lost, and connected again', async () => {
    const rig = await connectedRig('Halo')
    rig.model.faults.lostNotifications = 3
    assert.equal(await rig.during(rig.glasses.show(textPage('lost')), 3500), false)
    assert.equal(rig.glasses.link.state, 'lost')
    assert.deepEqual(rig.events.problems, ['The Brilliant Halo does not answer; connecting again.'])
    await rig.clock.advance(5000)
    assert.equal(rig.glasses.link.state, 'connected')
  })

  for (const kind of KINDS)
    test(`BRL-7: a program that ended on a ${kind} is started again`, async () => {
      const rig = await connectedRig(kind)
      rig.glasses.setMicrophone(true)
      for (const lost of [0, 1]) {
        rig.model.crash()
        rig.model.faults.lostNotifications = lost
        await rig.clock.advance(25_000)
        assert.equal(rig.glasses.link.state, 'connected')
        assert.ok(rig.model.isRunning && rig.model.microphone.isOn)
      }
    })

  test('BRL-8: disconnect leaves the glasses blank and silent, and nothing is reported afterwards', async () => {
    const rig = await connectedRig('Frame')
    rig.glasses.setMicrophone(true)
    await rig.show('bye')
    const disconnected = rig.glasses.disconnect()
    const { count } = rig.events
    await rig.during(disconnected, 1000)
    await rig.clock.advance(60_000)
    assert.deepEqual([rig.model.lens.lines, rig.model.microphone.isOn], [[], false])
    assert.deepEqual([rig.model.isRunning, rig.model.isConnected], [false, false])
    assert.equal(rig.events.count, count)
  })

  test('BRL-8: disconnect ends also without an answer, and in the middle of connecting', async () => {
    const rig = await connectedRig('Frame')
    rig.model.faults.lostNotifications = 1000
    await rig.during(rig.glasses.disconnect(), 1500)
    assert.equal(rig.model.isConnected, false)
    const early = new BrilliantRig('Halo')
    const connected = assert.rejects(early.glasses.connect(early.events), /disconnected/)
    await early.clock.advance(700)
    await early.during(early.glasses.disconnect(), 100)
    await early.clock.advance(60_000)
    await connected
    assert.equal(early.model.isConnected, false)
  })

  for (const kind of KINDS)
    test(`BRL-9: without its phone a ${kind} turns the microphone off and shows nothing`, async () => {
      const rig = await connectedRig(kind)
      rig.glasses.setMicrophone(true)
      await rig.show('private')
      rig.model.faults.isAway = true
      rig.model.drop()
      await rig.clock.advance(2000)
      assert.deepEqual([rig.model.isRunning, rig.model.microphone.isOn], [false, false])
      assert.deepEqual(rig.model.lens.lines, [])
    })
})
