import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AppToCloud, checkAppMessage } from '@glasses-cloud/contract'
import type { RecordingPeer } from '../testing/recording-peer.ts'
import { createAppDefinition, SessionRig } from '../testing/session-rig.ts'

const SYSTEM = 'system.dashboard'
const A = 'dev.example.a'
const B = 'dev.example.b'
const C = 'dev.example.c'

/** A session with the system dashboard and two apps. */
class DashboardRig {
  readonly rig = new SessionRig([SYSTEM, A, B, C].map((name) => createAppDefinition(name)))
  readonly glasses = this.rig.connectGlasses()
  readonly system = this.rig.runApp(SYSTEM)
  readonly a = this.rig.runApp(A)
  readonly b = this.rig.runApp(B)

  send(app: RecordingPeer, message: AppToCloud): void {
    this.rig.session.handleAppMessage(app.name, app, message)
  }

  corner(section: 'topLeft' | 'topRight' | 'bottomLeft' | 'bottomRight', content: string): void {
    this.send(this.system, { type: 'dashboard_system_update', section, content })
  }

  write(app: RecordingPeer, content: string, modes?: ('main' | 'expanded')[]): void {
    this.send(app, { type: 'dashboard_content_update', content, ...(modes ? { modes } : {}) })
  }

  mode(mode: 'main' | 'expanded'): void {
    this.send(this.system, { type: 'dashboard_mode_change', mode })
  }

  head(position: 'up' | 'down'): void {
    this.rig.session.handleGlassesMessage(this.glasses, { type: 'head_position', position })
  }

  /** How often the dashboard was drawn, after all pending updates. */
  get drawn(): number {
    this.rig.clock.advance(2_000)
    return this.#dashboards.length
  }

  /** The layout of the dashboard, after all pending updates. */
  get layout(): unknown {
    this.rig.clock.advance(2_000)
    return this.#dashboards.at(-1)?.layout
  }

  /** The lower text of the main mode. */
  get below(): unknown {
    return (this.layout as { bottomText?: string }).bottomText
  }

  get #dashboards() {
    return this.glasses.messagesOfType('display_event').filter(({ view }) => view === 'dashboard')
  }
}

test('DASH-1: the main dashboard shows four sections and the content of an app', () => {
  const bench = new DashboardRig()
  bench.corner('topLeft', '12:00')
  bench.corner('topRight', '80 %')
  bench.write(bench.a, 'three mails')
  assert.deepEqual(bench.layout, {
    layoutType: 'double_text_wall',
    topText: '12:00\n',
    bottomText: '80 %\nthree mails',
  })
  bench.corner('bottomLeft', 'Monday')
  bench.corner('bottomRight', 'sunny')
  assert.deepEqual(bench.layout, {
    layoutType: 'double_text_wall',
    topText: '12:00\nMonday',
    bottomText: '80 %\nsunny\n\nthree mails',
  })
  const shown = bench.glasses.messagesOfType('display_event').at(-1)
  assert.deepEqual([shown?.packageName, shown?.view], [SYSTEM, 'dashboard'])
})

test('DASH-2 DASH-8: the expanded dashboard shows the newest content', () => {
  const bench = new DashboardRig()
  bench.corner('topLeft', '12:00')
  bench.corner('topRight', '80 %')
  bench.mode('expanded')
  assert.deepEqual(bench.layout, {
    layoutType: 'text_wall',
    text: '12:00 | 80 %\nNo expanded content available',
  })
  bench.write(bench.a, 'of a', ['expanded'])
  bench.write(bench.b, 'of b', ['expanded'])
  bench.write(bench.a, 'newer', ['expanded', 'main'])
  assert.deepEqual(bench.layout, { layoutType: 'text_wall', text: '12:00 | 80 %\nnewer' })
  const before = bench.drawn
  bench.write(bench.b, 'for later')
  assert.equal(bench.drawn, before)
  bench.mode('main')
  assert.equal(bench.below, '80 %\nfor later')
})

test('DASH-3: content of two apps, then empty content of one', () => {
  const bench = new DashboardRig()
  bench.send(bench.a, { type: 'dashboard_content_update', packageName: B, content: 'of a' })
  bench.write(bench.b, 'of b')
  bench.write(bench.b, '')
  assert.equal(bench.below, '\nof a')
})

test('DASH-4 DASH-5: new content is shown first, and each look up shows the next', () => {
  const bench = new DashboardRig()
  const c = bench.rig.runApp(C)
  bench.rig.subscribe(c, 'head_position')
  bench.write(bench.a, 'a')
  bench.write(bench.b, 'b')
  assert.equal(bench.below, '\nb')
  bench.write(bench.a, 'a2')
  assert.equal(bench.below, '\nb')
  bench.write(c, 'c')
  const seen: unknown[] = [bench.below]
  for (let n = 0; n < 3; n += 1) {
    bench.head('up')
    bench.head('down')
    seen.push(bench.below)
  }
  assert.deepEqual(seen, ['\nc', '\nb', '\na2', '\nc'])
  bench.write(c, 'c2')
  assert.equal(bench.below, '\nc2')
  assert.deepEqual(
    c.messagesOfType('data_stream').map(({ data }) => (data as { position: string }).position),
    ['up', 'down', 'up', 'down', 'up', 'down'],
  )
})

test('DASH-6: only the system dashboard can set sections and mode', () => {
  const bench = new DashboardRig()
  bench.corner('topLeft', 'mine')
  const before = bench.drawn
  bench.send(bench.a, {
    type: 'dashboard_system_update',
    packageName: SYSTEM,
    section: 'topLeft',
    content: 'hijacked',
  })
  bench.send(bench.a, { type: 'dashboard_mode_change', packageName: SYSTEM, mode: 'expanded' })
  assert.deepEqual(
    bench.a.messagesOfType('tpa_connection_error').map(({ code }) => code),
    ['PERMISSION_DENIED', 'PERMISSION_DENIED'],
  )
  assert.equal(bench.a.closed, undefined)
  assert.equal(bench.drawn, before)
  assert.equal(bench.b.lastOfType('dashboard_mode_changed')?.mode, 'main')
})

test('DASH-7: every app receives the mode', () => {
  const bench = new DashboardRig()
  const modes = (app: RecordingPeer) => app.messagesOfType('dashboard_mode_changed').map(({ mode }) => mode)
  assert.deepEqual(modes(bench.a), ['main'])
  bench.mode('expanded')
  bench.mode('expanded')
  assert.deepEqual(modes(bench.a), ['main', 'expanded'])
  assert.deepEqual(modes(bench.system), ['main', 'expanded'])
  assert.equal(bench.b.lastOfType('dashboard_mode_changed')?.sessionId, `us1-${B}`)
  const late = bench.rig.runApp(C)
  assert.deepEqual(modes(late), ['expanded'])
  const types = late.sent.map(({ type }) => type)
  assert.ok(types.indexOf('tpa_connection_ack') < types.indexOf('dashboard_mode_changed'))
})

test('DASH-9 DASH-10: everything of an app that stops is removed', () => {
  const bench = new DashboardRig()
  bench.corner('topLeft', '12:00')
  bench.write(bench.a, 'of a', ['main', 'expanded'])
  bench.write(bench.b, 'of b', ['main', 'expanded'])
  bench.rig.stopApp(B)
  assert.equal(bench.below, '\nof a')
  bench.mode('expanded')
  assert.deepEqual(bench.layout, { layoutType: 'text_wall', text: '12:00 | \nof a' })
  bench.rig.stopApp(SYSTEM)
  assert.equal(bench.a.lastOfType('dashboard_mode_changed')?.mode, 'main')
  assert.deepEqual(bench.layout, { layoutType: 'double_text_wall', topText: '\n', bottomText: '\nof a' })
  bench.rig.stopApp(A)
  assert.deepEqual(bench.layout, { layoutType: 'text_wall', text: '' })
})

test('DASH-11: content beyond the limits is malformed', () => {
  const check = (fields: object, type = 'dashboard_content_update') =>
    checkAppMessage({ type, content: 'fine', ...fields }).kind
  assert.equal(check({ content: 'x'.repeat(2_000), modes: ['main'] }), 'known')
  assert.equal(check({ content: 'x'.repeat(2_001) }), 'malformed')
  assert.equal(check({ modes: ['none'] }), 'malformed')
  assert.equal(check({ section: 'topLeft' }, 'dashboard_system_update'), 'known')
  assert.equal(check({ section: 'middle' }, 'dashboard_system_update'), 'malformed')
})
