/**
 * The phone for JavaScript engines without Node and DOM, such as those of mini apps. Bundle it with the condition `browser`.
 * The engine must have `console`, timers, `fetch` with texts as bodies, `WebSocket` with binary frames, `TextEncoder` and
 * `TextDecoder`. Its sockets have no headers, so the phone needs `tokenIn: 'query'`; sounds and speech need `playSound` and
 * `speak`. A request has the deadline of the engine where there is no `AbortSignal`.
 */

import { provideAbortController } from './bare/abort-controller.ts'

export type { AdapterEvents, Gesture, GlassesAdapter, Link, Page, Screen } from './adapter/glasses-adapter.ts'
export { type Deadline, Phone } from './phone.ts'
export { PhoneApi, PhoneError } from './phone-api.ts'
export type { PhoneOptions } from './phone-options.ts'
export type { PlaySound, Speak } from './platform/platform.ts'

provideAbortController()
