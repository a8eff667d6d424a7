import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordingPeer } from '../testing/recording-peer.ts'
import { createAppDefinition, SessionRig } from '../testing/session-rig.ts'
import { Notifications } from './notifications.ts'

const A = 'dev.example.a'
const B = 'dev.example.b'
const streams = ['phone_notification', 'phone_notification_dismissed']

function setUp() {
  const rig = new SessionRig([
    createAppDefinition(A, { permissions: [{ type: 'READ_NOTIFICATIONS' }] }),
    createAppDefinition(B),
  ])
  const glasses = rig.connectGlasses()
  const [a, b] = [rig.runApp(A), rig.runApp(B)]
  rig.subscribe(a, ...streams)
  rig.subscribe(b, ...streams)
  return { rig, glasses, a, b }
}

const frames = (peer: RecordingPeer) =>
  peer.messagesOfType('data_stream').map(({ data }) => data as Record<string, unknown>)

const notification = { notificationId: 'mail-1', app: 'Mail', title: 'Ada', content: 'Tea at five?' }

test('NOTI-2: a notification is sent to apps with the permission, with defaults for missing fields', () => {
  const { rig, a, b } = setUp()
  rig.session.part(Notifications).notify(notification)
  rig.session.part(Notifications).notify({
    ...notification,
    priority: 'high',
    timestamp: rig.clock.now() - 5,
    packageName: 'com.mail',
  })
  rig.session.part(Notifications).notify({ ...notification, priority: 'max', timestamp: -7 })
  const now = rig.clock.now()
  const base = { type: 'phone_notification', ...notification }
  assert.deepEqual(frames(a), [
    { ...base, priority: 'normal', timestamp: now },
    { ...base, priority: 'high', timestamp: now - 5, packageName: 'com.mail' },
    { ...base, priority: 'normal', timestamp: now },
  ])
  assert.deepEqual(frames(b), [])
})

test('NOTI-3: a dismissal repeats the fields of its notification', () => {
  const { rig, a } = setUp()
  rig.session.part(Notifications).notify(notification)
  const gone = { notificationId: 'mail-1', notificationKey: 'k1', packageName: 'com.mail' }
  a.takeMessages()
  rig.session.part(Notifications).dismiss(gone)
  rig.session.part(Notifications).dismiss(gone)
  const base = { type: 'phone_notification_dismissed', ...gone, timestamp: rig.clock.now() }
  assert.deepEqual(frames(a), [
    { ...base, app: 'Mail', title: 'Ada', content: 'Tea at five?' },
    { ...base, app: 'com.mail', title: '', content: '' },
  ])
})

test('NOTI-4: the glasses can send both on their socket, with few fields', () => {
  const { rig, glasses, a } = setUp()
  rig.session.handleGlassesMessage(glasses, { type: 'phone_notification', ...notification })
  rig.session.handleGlassesMessage(glasses, {
    type: 'phone_notification_dismissed',
    notificationId: 'mail-1',
  })
  const now = rig.clock.now()
  assert.deepEqual(frames(a), [
    { type: 'phone_notification', ...notification, priority: 'normal', timestamp: now },
    {
      type: 'phone_notification_dismissed',
      ...notification,
      notificationKey: '',
      timestamp: now,
    },
  ])
})

test('NOTI-5: the newest hundred notifications are remembered', () => {
  const { rig, a } = setUp()
  for (let n = 0; n <= 100; n += 1)
    rig.session.part(Notifications).notify({ ...notification, notificationId: `n${n}` })
  a.takeMessages()
  for (const notificationId of ['n0', 'n1', 'n100'])
    rig.session.part(Notifications).dismiss({ notificationId, notificationKey: 'k', packageName: 'p' })
  assert.deepEqual(
    frames(a).map(({ title }) => title),
    ['', 'Ada', 'Ada'],
  )
})
