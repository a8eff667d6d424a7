import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BLANK_LAYOUT, type Layout, type View } from '@glasses-cloud/contract'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { DEFAULT_TIMING } from '../timing.ts'
import { Display } from './display.ts'

const SYSTEM = 'system.dashboard'

/** A display on a virtual clock. Records what it shows, with the time in milliseconds. */
class DisplayRig {
  readonly clock = new VirtualClock(0)
  readonly display: Display
  readonly shown: { at: number; packageName: string; view: View; layout: Layout }[] = []
  isConnected = true

  constructor(mayShowOldContent = false) {
    this.display = new Display({
      clock: this.clock,
      timing: DEFAULT_TIMING,
      systemPackage: SYSTEM,
      mayShowOldContent,
      isConnected: () => this.isConnected,
      show: (packageName, view, layout) =>
        this.shown.push({ at: this.clock.now(), packageName, view, layout }),
    })
  }

  text(packageName: string, text: string, durationMs?: number | null, view: View = 'main'): void {
    this.display.setContent(packageName, view, { layoutType: 'text_wall', text }, durationMs)
  }

  clear(packageName: string, view: View = 'main'): void {
    this.display.setContent(packageName, view, { layoutType: 'clear_view' })
  }

  /** Advances the clock and returns what was shown, each as `<time> <text>`. */
  pass(ms: number): string[] {
    this.clock.advance(ms)
    return this.shown.splice(0).map(({ at, layout }) => `${at} ${textOf(layout)}`)
  }
}

function textOf(layout: Layout): string {
  if (layout.layoutType === 'text_wall') return layout.text || '(blank)'
  if (layout.layoutType === 'reference_card') return `[${layout.title}: ${layout.text}]`
  if (layout.layoutType === 'bitmap_view') return layout.data
  return layout.layoutType
}

describe('boot screen', () => {
  test('DSP-1: a starting app shows a boot screen for 1.5 s', () => {
    const rig = new DisplayRig()
    rig.display.showBootScreen('a', 'Captions')
    assert.equal(rig.shown[0]?.packageName, SYSTEM)
    assert.deepEqual(rig.pass(10_000), ['0 [Starting app: Captions]', '1500 (blank)'])
  })

  test('DSP-1: apps that start together share one boot screen', () => {
    const rig = new DisplayRig()
    rig.display.showBootScreen('a', 'Captions')
    rig.clock.advance(1_000)
    rig.display.showBootScreen('b', 'Notes')
    assert.deepEqual(rig.pass(10_000), [
      '0 [Starting app: Captions]',
      '1000 [Starting apps: Captions\nNotes]',
      '1500 [Starting app: Notes]',
      '2500 (blank)',
    ])
  })

  test('DSP-2: the boot screen covers the latest content of each app', () => {
    const rig = new DisplayRig()
    rig.display.setMainApp('a')
    rig.display.showBootScreen('a', 'A')
    rig.text('a', 'a1')
    rig.text('b', 'b1', 1_000)
    rig.text('a', 'a2')
    rig.text('b', 'b2', 1_000)
    assert.deepEqual(rig.pass(20_000), ['0 [Starting app: A]', '1500 b2', '2500 a2'])
  })
})

describe('send interval', () => {
  test('DSP-3 DSP-4: a rendering every 10 ms', () => {
    const rig = new DisplayRig()
    rig.display.setMainApp('a')
    for (let n = 0; n <= 100; n += 1) {
      rig.text('a', `${n}`)
      rig.clock.advance(10)
    }
    const shown = rig.pass(1_000)
    assert.deepEqual(shown, ['0 0', '200 19', '400 39', '600 59', '800 79', '1000 99', '1200 100'])
  })

  test('DSP-3 DSP-5: two busy views share the interval and alternate', () => {
    const rig = new DisplayRig()
    rig.display.setMainApp('a')
    for (let n = 0; n < 199; n += 1) {
      rig.text('a', `m${n}`)
      rig.text('a', `d${n}`, undefined, 'dashboard')
      rig.clock.advance(10)
    }
    const times = rig.shown.map(({ at }) => at)
    assert.deepEqual(
      times,
      Array.from({ length: 10 }, (_, n) => n * 200),
    )
    const views = rig.shown.map(({ view }) => view)
    assert.deepEqual(views, Array.from({ length: 5 }, () => ['main', 'dashboard']).flat())
  })
})

describe('display lock', () => {
  test('DSP-6: a background app draws over the main app until it is idle for two seconds', () => {
    const rig = new DisplayRig()
    rig.display.setMainApp('main')
    rig.text('main', 'story')
    rig.clock.advance(1_000)
    rig.text('bg', 'ping')
    rig.clock.advance(1_500)
    rig.text('bg', 'pong')
    assert.deepEqual(rig.pass(60_000), ['0 story', '1000 ping', '2500 pong', '4500 story'])
  })

  test('DSP-6: content that the main app sets meanwhile is shown when the lock is released', () => {
    const rig = new DisplayRig()
    rig.display.setMainApp('main')
    rig.text('bg', 'ping')
    rig.clock.advance(500)
    rig.text('main', 'one')
    rig.text('main', 'two')
    assert.deepEqual(rig.pass(60_000), ['0 ping', '2000 two'])
  })

  test('DSP-7: content with a duration keeps the lock for the duration', () => {
    const rig = new DisplayRig()
    rig.display.setMainApp('main')
    rig.text('main', 'story')
    rig.clock.advance(1_000)
    rig.text('bg', 'ping', 5_000)
    assert.deepEqual(rig.pass(60_000), ['0 story', '1000 ping', '6000 story'])
  })

  test('DSP-7: the lock expires after ten seconds at the latest', () => {
    const rig = new DisplayRig()
    rig.display.setMainApp('main')
    rig.text('main', 'story')
    rig.clock.advance(1_000)
    rig.text('bg', 'long', 60_000)
    assert.deepEqual(rig.pass(30_000), ['0 story', '1000 long', '11000 story'])

    const busy = new DisplayRig()
    busy.display.setMainApp('main')
    busy.text('main', 'story')
    busy.text('other', 'waits')
    busy.clock.advance(3_000)
    busy.shown.length = 0
    for (let n = 0; n < 12; n += 1) {
      busy.text('bg', `tick ${n}`)
      if (n === 1) busy.text('other', 'my turn')
      busy.clock.advance(1_000)
    }
    assert.equal(busy.shown.find(({ packageName }) => packageName === 'other')?.at, 3_000 + 10_000)
  })

  test('DSP-8: apps queue while the lock is held', () => {
    const rig = new DisplayRig()
    rig.display.setMainApp('main')
    rig.text('main', 'story')
    rig.clock.advance(1_000)
    rig.text('b', 'first', 3_000)
    rig.text('c', 'second', 3_000)
    rig.text('d', 'third', 3_000)
    rig.text('c', 'second, newer', 3_000)
    assert.deepEqual(rig.pass(60_000), [
      '0 story',
      '1000 first',
      '4000 second, newer',
      '7000 third',
      '10000 story',
    ])
  })

  test('DSP-9: a lock that expires before its content was shown', () => {
    const rig = new DisplayRig()
    rig.display.setMainApp('main')
    rig.text('main', 'story')
    rig.clock.advance(1_000)
    rig.text('bg', 'long', 60_000)
    rig.clock.advance(9_900)
    // The dashboard uses the send slot in which the last content would have been sent.
    rig.text('x', 'clock', undefined, 'dashboard')
    rig.text('bg', 'last word', 3_000)
    assert.deepEqual(rig.pass(60_000), [
      '0 story',
      '1000 long',
      '10900 clock',
      '11100 last word',
      '14100 story',
    ])
  })

  test('DSP-10: without a main app the newest content is shown', () => {
    const rig = new DisplayRig()
    rig.text('b', 'b text')
    rig.clock.advance(500)
    rig.text('c', 'c text')
    assert.deepEqual(rig.pass(60_000), ['0 b text', '2000 c text'])
    rig.display.setMainApp('main')
    assert.deepEqual(rig.pass(60_000), [], 'the main app shows nothing yet')
    rig.text('main', 'story')
    assert.equal(rig.pass(60_000).at(-1)?.endsWith('story'), true)
  })
})

describe('duration', () => {
  test('DSP-11: a duration begins when the content is first shown', () => {
    const rig = new DisplayRig()
    rig.display.setMainApp('a')
    rig.display.showBootScreen('a', 'A')
    rig.text('a', 'short', 1_000)
    assert.deepEqual(rig.pass(60_000), ['0 [Starting app: A]', '1500 short', '2500 (blank)'])
  })

  test('DSP-11: the duration of covered content continues', () => {
    const rig = new DisplayRig()
    rig.display.setMainApp('a')
    rig.text('a', 'short', 3_000)
    rig.clock.advance(1_000)
    rig.text('bg', 'over it', 4_000)
    assert.deepEqual(rig.pass(60_000), ['0 short', '1000 over it', '5000 (blank)'])
  })

  test('DSP-11: zero, null and missing durations', () => {
    for (const durationMs of [0, null, undefined]) {
      const rig = new DisplayRig()
      rig.text('a', 'text', durationMs)
      assert.deepEqual(rig.pass(24 * 3_600_000), ['0 text'])
    }
  })

  test('DSP-12: covered content reappears, and the view is blank without content', () => {
    const rig = new DisplayRig()
    rig.display.setMainApp('main')
    rig.text('main', 'static')
    rig.clock.advance(1_000)
    rig.text('bg', 'note', 3_000)
    rig.clock.advance(10_000)
    rig.clear('main')
    assert.deepEqual(rig.shown.at(-1), {
      at: 11_000,
      packageName: SYSTEM,
      view: 'main',
      layout: BLANK_LAYOUT,
    })
    assert.deepEqual(rig.pass(60_000), ['0 static', '1000 note', '4000 static', '11000 (blank)'])
  })

  test('DSP-13: clear_view of one of two apps', () => {
    const rig = new DisplayRig()
    rig.text('a', 'of a')
    rig.text('a', 'a on the dashboard', undefined, 'dashboard')
    rig.clock.advance(3_000)
    rig.text('b', 'of b')
    rig.clock.advance(3_000)
    rig.shown.length = 0
    rig.clear('c')
    assert.deepEqual(rig.pass(1_000), [])
    rig.clear('b')
    assert.deepEqual(rig.pass(1_000), ['7000 of a'])
    rig.clear('a', 'dashboard')
    assert.deepEqual(rig.shown.splice(0), [
      { at: 8_000, packageName: SYSTEM, view: 'dashboard', layout: BLANK_LAYOUT },
    ])
  })

  test('DSP-14: a removed app leaves no content, queue entry or boot screen', () => {
    const rig = new DisplayRig()
    rig.display.setMainApp('main')
    rig.text('main', 'story')
    rig.clock.advance(1_000)
    rig.text('b', 'first', 3_000)
    rig.text('c', 'second', 3_000)
    rig.text('b', 'b dashboard', undefined, 'dashboard')
    rig.clock.advance(1_000)
    rig.shown.length = 0
    rig.display.removeApp('c')
    rig.display.removeApp('b')
    assert.deepEqual(rig.pass(60_000), ['2000 story', '2200 (blank)'])
    rig.display.showBootScreen('d', 'D')
    rig.clock.advance(500)
    rig.display.removeApp('d')
    assert.deepEqual(rig.pass(1_000), ['62000 [Starting app: D]', '62500 story'])
    rig.display.removeApp('main')
    assert.deepEqual(rig.pass(60_000), ['63500 (blank)'])
  })
})

describe('connection', () => {
  test('DSP-15: nothing is sent without glasses; the latest rendering is sent when they connect', () => {
    const rig = new DisplayRig()
    rig.display.setMainApp('a')
    rig.isConnected = false
    rig.text('a', 'one', 1_000)
    rig.clock.advance(30_000)
    rig.text('a', 'two', 1_000)
    assert.deepEqual(rig.pass(30_000), [])
    rig.isConnected = true
    rig.display.resync()
    assert.deepEqual(rig.pass(30_000), ['60000 two', '61000 (blank)'])
  })

  test('DSP-16: a reconnect after both views were drawn', () => {
    const rig = new DisplayRig()
    rig.text('a', 'main text')
    rig.text('a', 'dashboard text', undefined, 'dashboard')
    rig.pass(1_000)
    rig.display.resync()
    assert.deepEqual(
      rig.pass(1_000).map((line) => line.split(' ').slice(1).join(' ')),
      ['main text', 'dashboard text'],
    )
    rig.clear('a')
    rig.pass(1_000)
    rig.display.resync()
    const again = rig.pass(1_000).join()
    assert.match(again, /\(blank\)/, 'a blank view is sent again')
    assert.match(again, /dashboard text/)
  })

  test('DSP-16 DSP-17: a view that was never drawn is not sent, unless the session resumed', () => {
    const fresh = new DisplayRig()
    fresh.display.resync()
    assert.deepEqual(fresh.pass(1_000), [])
    const resumed = new DisplayRig(true)
    resumed.display.resync()
    assert.deepEqual(resumed.shown, [{ at: 0, packageName: SYSTEM, view: 'main', layout: BLANK_LAYOUT }])
  })
})

describe('views and layouts', () => {
  test('DSP-18: dashboard content during the boot screen', () => {
    const rig = new DisplayRig()
    rig.display.setMainApp('main')
    rig.display.showBootScreen('main', 'Main')
    rig.text('b', 'from b', undefined, 'dashboard')
    rig.clock.advance(500)
    rig.text('c', 'from c', 2_000, 'dashboard')
    const dashboard = () => {
      rig.clock.advance(5_000)
      return rig.shown
        .filter(({ view }) => view === 'dashboard')
        .map(({ at, layout }) => `${at} ${textOf(layout)}`)
    }
    assert.deepEqual(dashboard(), ['200 from b', '500 from c', '2500 from b'])
  })

  test('DSP-19: a dashboard_card is sent as two columns of text', () => {
    const rig = new DisplayRig()
    const card: Layout = { layoutType: 'dashboard_card', leftText: 'L', rightText: 'R' }
    rig.display.setContent('a', 'dashboard', card)
    assert.deepEqual(rig.shown[0]?.layout, {
      layoutType: 'double_text_wall',
      topText: 'L',
      bottomText: 'R',
    })
  })

  test('DSP-20: an animation without repeat plays once and keeps its last frame', () => {
    const rig = new DisplayRig()
    rig.display.setContent('a', 'main', {
      layoutType: 'bitmap_animation',
      frames: ['one', 'two', 'three'],
      interval: 500,
    })
    assert.deepEqual(rig.pass(60_000), ['0 one', '500 two', '1000 three'])
  })

  test('DSP-20: an animation with repeat plays until its duration ends', () => {
    const rig = new DisplayRig()
    const animation: Layout = {
      layoutType: 'bitmap_animation',
      frames: ['one', 'two'],
      interval: 400,
      repeat: true,
    }
    rig.display.setContent('a', 'main', animation, 1_500)
    assert.deepEqual(rig.pass(60_000), ['0 one', '400 two', '800 one', '1200 two', '1500 (blank)'])
  })

  test('DSP-20: animation frames are limited to the send interval', () => {
    const rig = new DisplayRig()
    const frames = ['one', 'two', 'three']
    rig.display.setContent('a', 'main', { layoutType: 'bitmap_animation', frames, interval: 1 })
    assert.deepEqual(rig.pass(60_000), ['0 one', '200 two', '400 three'])
  })

  test('DSP-21: other layouts are sent unchanged', () => {
    const layouts: Layout[] = [
      { layoutType: 'text_wall', text: '  unwrapped $TIME12$\n' },
      { layoutType: 'double_text_wall', topText: 'T', bottomText: 'B' },
      { layoutType: 'reference_card', title: 'T', text: 'x' },
      { layoutType: 'bitmap_view', data: 'Qk0=' },
    ]
    const rig = new DisplayRig()
    for (const layout of layouts) {
      rig.display.setContent('a', 'main', layout)
      rig.clock.advance(200)
    }
    assert.deepEqual(
      rig.shown.map(({ layout }) => layout),
      layouts,
    )
  })
})
