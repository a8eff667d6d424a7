import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EvenG1Model, FakeBluetooth } from '@glasses-cloud/device-models'
import { BrilliantModel } from '@glasses-cloud/device-models/brilliant'
import { BrilliantGlasses, chooseGlasses, rememberedGlasses } from '../../src/brilliant/index.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { RecordedEvents } from '../support/recorded-events.ts'
import { textPage } from '../support/text-page.ts'

/** Glasses of several makers nearby; the chooser records what it lists and chooses `wanted`. */
function nearby(wanted: string | undefined) {
  const clock = new ManualClock()
  const models = { frame: new BrilliantModel(clock, 'Frame'), halo: new BrilliantModel(clock, 'Halo') }
  const lists: (readonly string[])[] = []
  const peripherals = [...new EvenG1Model(clock).arms, models.frame, models.halo]
  const bluetooth = new FakeBluetooth(peripherals, (names) => {
    lists.push(names)
    return wanted
  })
  return { clock, ...models, bluetooth, lists }
}

describe('a Frame or a Halo in a browser', () => {
  test('the chooser lists both, and one that is closed rejects', async () => {
    const { bluetooth, lists } = nearby('Halo 4F')
    const halo = await chooseGlasses(bluetooth)
    assert.deepEqual(lists, [['Frame 4F', 'Halo 4F']])
    assert.equal(new BrilliantGlasses({ peripheral: halo }).model, 'Brilliant Halo')
    await assert.rejects(chooseGlasses(nearby(undefined).bluetooth), { name: 'NotFoundError' })
  })

  test('pages, gestures and audio pass, and the glasses are connected again by themselves', async () => {
    const { clock, frame, bluetooth } = nearby('Frame 4F')
    const glasses = new BrilliantGlasses({
      peripheral: await chooseGlasses(bluetooth),
      clock,
      random: () => 0,
    })
    const events = new RecordedEvents()
    await clock.during(glasses.connect(events), 3000)
    assert.equal(await clock.during(glasses.show(textPage('in a browser')), 1000), true)
    assert.deepEqual(frame.lens.lines, ['in a browser'])
    glasses.setMicrophone(true)
    frame.tap()
    await clock.advance(500)
    assert.deepEqual(events.gestures, [{ name: 'single_tap' }])
    assert.ok(events.audioPackets.length > 5)
    frame.drop()
    assert.equal(glasses.link.state, 'lost')
    await clock.advance(4000)
    assert.equal(glasses.link.state, 'connected')
    assert.equal(await clock.during(glasses.show(textPage('again')), 1000), true)
    assert.deepEqual(frame.lens.lines, ['again'])
  })

  test('glasses that were chosen before are found again, where the browser remembers them', async () => {
    const { bluetooth } = nearby('Frame 4F')
    assert.deepEqual(await rememberedGlasses(bluetooth), [])
    await chooseGlasses(bluetooth)
    assert.deepEqual(
      (await rememberedGlasses(bluetooth)).map(({ name }) => name),
      ['Frame 4F'],
    )
    assert.deepEqual(await rememberedGlasses({ requestDevice: bluetooth.requestDevice.bind(bluetooth) }), [])
  })
})
