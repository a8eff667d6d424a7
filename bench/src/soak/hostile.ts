/** Text frames that no proper client sends. The cloud must reject or ignore them and stay up. */
export const HOSTILE_FRAMES: readonly string[] = [
  'not json',
  '',
  '[]',
  'null',
  '{"type":7}',
  '{"type":"__proto__"}',
  '{"type":"button_press"}',
  '{"type":"local_transcription","text":7,"isFinal":"yes"}',
  '{"type":"location_update","lat":"north","lng":1e999}',
  '{"type":"display_event","view":"main","layout":{"layoutType":"constructor"}}',
  '{"type":"subscription_update","subscriptions":{"length":1}}',
  `{"type":"subscription_update","subscriptions":${JSON.stringify(Array.from({ length: 5_000 }, (_, index) => index))}}`,
  `{"type":"photo_taken","photoData":"${'A'.repeat(200_000)}"}`,
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  `{"type":"button_press","buttonId":"${'x'.repeat(60_000)}"}`,
]

/** REST requests that the cloud must reject. */
export const HOSTILE_REQUESTS: readonly (readonly [method: string, path: string, body?: string])[] = [
  ['POST', '/api/client/calendar', '{"events":null}'],
  ['POST', '/api/client/calendar', `{"events":[${'{},'.repeat(2_000)}{}]}`],
  ['PUT', '/api/account/profile', 'null'],
  ['POST', '/api/apps/%2e%2e%2fetc/start'],
  ['POST', '/api/client/notifications', '{"notificationId":{}}'],
  ['GET', '/api/apps/search?q=%00%25%27%3B'],
  ['GET', '/api/gallery?limit=-1'],
  ['POST', '/appsettings/bench.soak', '[{"key":"__proto__","value":1}]'],
  ['POST', '/api/client/user/settings', '{"settings":[]}'],
]
