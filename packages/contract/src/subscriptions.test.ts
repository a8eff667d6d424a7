import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { grants, PERMISSION_TYPES } from './permissions.ts'
import {
  matches,
  needsAudio,
  parseSubscription,
  requiredPermission,
  type StreamFacets,
  type SubscriptionEntry,
} from './subscriptions.ts'

describe('declared permissions', () => {
  test('CAT-40: a permission grants only itself', () => {
    for (const declared of PERMISSION_TYPES) {
      if (declared === 'ALL' || declared === 'NOTIFICATIONS') continue
      const granted = PERMISSION_TYPES.filter((needed) => grants([{ type: declared }], needed))
      assert.deepEqual(granted, [declared])
    }
    assert.ok(PERMISSION_TYPES.every((needed) => !grants([], needed)))
  })

  test('CAT-41: ALL grants every permission', () => {
    assert.ok(PERMISSION_TYPES.every((needed) => grants([{ type: 'ALL' }], needed)))
  })

  test('CAT-42: the legacy NOTIFICATIONS grants READ_NOTIFICATIONS, not POST_NOTIFICATIONS', () => {
    const granted = PERMISSION_TYPES.filter((needed) => grants([{ type: 'NOTIFICATIONS' }], needed))
    assert.deepEqual(granted, ['NOTIFICATIONS', 'READ_NOTIFICATIONS'])
  })
})

/** Whether a subscription entry selects an event, as the subscription index does. */
function selects(entry: SubscriptionEntry, stream: string, facets: StreamFacets = {}): boolean {
  const subscription = parseSubscription(entry)
  return subscription.stream === stream && matches(subscription, facets)
}

test('SUB-1: transcription selects one language, auto every language, and en-US without a parameter', () => {
  const spanish = { language: 'es-ES' }
  assert.ok(selects('transcription:es-ES', 'transcription', spanish))
  assert.ok(!selects('transcription:en-US', 'transcription', spanish))
  assert.ok(selects('transcription:auto', 'transcription', spanish))
  assert.ok(selects('transcription', 'transcription', { language: 'en-US' }))
  assert.ok(!selects('transcription', 'transcription', spanish))
  assert.ok(selects('transcription:yue-HK', 'transcription', { language: 'yue-HK' }))
})

test('SUB-16: tags of one meaning are one language, and a tag without a region selects every region', () => {
  for (const [subscribed, spoken] of [
    ['en-US', 'en'],
    ['en-US', 'en_US'],
    ['EN-us', 'en-US'],
    ['en', 'en-GB'],
    ['en-GB', 'en'],
    ['zh-CN', 'zh-Hans-CN'],
    ['zh-CN', 'cmn-Hans-CN'],
    ['zh-TW', 'zh-Hant'],
    ['zh_Hant_HK', 'zh-HK'],
    ['iw', 'he-IL'],
    ['nb-NO', 'no'],
    ['es-419', 'es'],
  ] as const) {
    assert.ok(
      selects(`transcription:${subscribed}`, 'transcription', { language: spoken }),
      `${subscribed} ${spoken}`,
    )
    const pair = { language: spoken, target: 'de-DE' }
    assert.ok(
      selects(`translation:${subscribed}-to-de`, 'translation', pair),
      `${subscribed} ${spoken} to de`,
    )
  }
  for (const [subscribed, spoken] of [
    ['pt-BR', 'pt-PT'],
    ['en-US', 'en-GB'],
    ['zh-CN', 'zh-TW'],
    ['zh-Hans', 'zh-HK'],
    ['zh-CN', 'yue-HK'],
    ['sr-Latn-RS', 'sr-RS'],
    ['en-US', 'und'],
    ['nn-NO', 'nb-NO'],
  ] as const)
    assert.ok(
      !selects(`transcription:${subscribed}`, 'transcription', { language: spoken }),
      `${subscribed} ${spoken}`,
    )
  const { language, target } = parseSubscription('translation:cmn_hans_cn-to-pt')
  assert.deepEqual([language, target], ['zh-CN', 'pt-BR'])
})

test('SUB-16: subscriptions without a region share the source of the usual one', () => {
  for (const [subscribed, source, isSelected] of [
    ['en', 'en-US', true],
    ['en_US', 'en-US', true],
    ['en-GB', 'en-US', false],
    ['auto', 'auto', true],
    ['auto', 'en-US', false],
    ['en-US', 'auto', false],
  ] as const)
    assert.equal(selects(`transcription:${subscribed}`, 'transcription', { source }), isSelected, subscribed)
  assert.ok(selects('translation:all-to-de-DE', 'translation', { source: 'auto', target: 'de-DE' }))
  assert.ok(!selects('transcription:en', 'transcription', { source: 'en-US', language: 'de' }))
})

test('SUB-2: one pair, and all to one language', () => {
  const facets = { language: 'es-ES', target: 'en-US' }
  assert.ok(selects('translation:es-ES-to-en-US', 'translation', facets))
  assert.ok(selects('translation:all-to-en-US', 'translation', facets))
  assert.ok(!selects('translation:es-ES-to-fr-FR', 'translation', facets))
  assert.ok(!selects('translation:fr-FR-to-en-US', 'translation', facets))
  assert.ok(!selects('translation:all-to-fr-FR', 'translation', facets))
})

test('SUB-3: touch_event selects every gesture, or one', () => {
  assert.ok(selects('touch_event', 'touch_event', { gesture: 'single_tap' }))
  assert.ok(selects('touch_event:single_tap', 'touch_event', { gesture: 'single_tap' }))
  assert.ok(!selects('touch_event:double_tap', 'touch_event', { gesture: 'single_tap' }))
  assert.ok(!selects('touch_event:', 'touch_event', { gesture: 'single_tap' }))
})

test('SUB-4: options do not affect the selection and are preserved', () => {
  const entry = 'transcription:es-ES?no-language-identification=true&hints=es%2Cde'
  assert.ok(selects(entry, 'transcription', { language: 'es-ES' }))
  assert.ok(!selects(entry, 'transcription', { language: 'de-DE' }))
  assert.ok(needsAudio(parseSubscription(entry)))
  const { raw, options } = parseSubscription(entry)
  assert.equal(raw, entry)
  assert.deepEqual(options, { 'no-language-identification': 'true', hints: 'es,de' })
  assert.ok(selects('translation:all-to-en-US?x', 'translation', { language: 'fr-FR', target: 'en-US' }))
})

test('SUB-5: an object entry is parsed to its stream with a rate', () => {
  assert.deepEqual(parseSubscription({ stream: 'location_stream', rate: 'high' }), {
    raw: 'location_stream',
    stream: 'location_stream',
    rate: 'high',
  })
  assert.ok(selects({ stream: 'transcription:es-ES' }, 'transcription', { language: 'es-ES' }))
})

test('SUB-6: an entry of an unknown form selects no known stream', () => {
  const unknown = [
    '*',
    'all',
    '',
    ':',
    '?',
    'transcription:',
    'transcription:english',
    'transcription:all',
    'transcription:und',
    'transcription:en-US-x',
    'translation',
    'translation:en-US',
    'translation:en-US-to-all',
    'translation:auto-to-en-US',
    'button_press:long',
    'audio_chunk?rate=8000',
    'constructor',
    '__proto__',
  ]
  const streams = ['transcription', 'translation', 'touch_event', 'audio_chunk', 'button_press', 'VAD']
  for (const entry of unknown) {
    const subscription = parseSubscription(entry)
    assert.equal(subscription.raw, entry)
    assert.equal(needsAudio(subscription), false, entry)
    for (const stream of streams)
      assert.ok(!selects(entry, stream, { language: 'en-US', target: 'en-US', gesture: '' }), entry)
  }
})

test('SUB-6: every string can be parsed', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', 'transcription:', 'translation:'),
      (tail, head) => {
        const entry = head + tail
        const subscription = parseSubscription(entry)
        requiredPermission(subscription)
        matches(subscription, {})
        return subscription.raw === entry
      },
    ),
  )
})

test('SUB-7: a stream requires its permission regardless of its parameters', () => {
  const required: Record<string, string[]> = {
    MICROPHONE: [
      'audio_chunk',
      'transcription',
      'transcription:en-US',
      'transcription:auto',
      'transcription:nonsense',
      'transcription?x=y',
      'translation:es-ES-to-en-US?x=y',
      'translation',
      'audio_chunk?x',
      'VAD',
      'wake_word',
      'wake_word:x',
    ],
    LOCATION: ['location_update', 'location_stream'],
    CALENDAR: ['calendar_event'],
    CAMERA: ['photo_response', 'photo_taken', 'rtmp_stream_status', 'managed_stream_status'],
    READ_NOTIFICATIONS: ['phone_notification', 'phone_notification_dismissed'],
  }
  for (const [permission, entries] of Object.entries(required))
    for (const entry of entries) assert.equal(requiredPermission(parseSubscription(entry)), permission, entry)
  for (const entry of ['button_press', 'touch_event:single_tap', 'head_position', '*', 'all', '', 'toString'])
    assert.equal(requiredPermission(parseSubscription(entry)), undefined, entry)
})

test('SUB-7: ALL grants everything, the legacy NOTIFICATIONS READ_NOTIFICATIONS, any other only itself', () => {
  for (const needed of PERMISSION_TYPES) {
    for (const type of PERMISSION_TYPES) {
      const expected =
        type === needed || type === 'ALL' || (type === 'NOTIFICATIONS' && needed === 'READ_NOTIFICATIONS')
      assert.equal(grants([{ type }], needed), expected, `${type} for ${needed}`)
    }
    assert.equal(grants([], needed), false)
  }
})
