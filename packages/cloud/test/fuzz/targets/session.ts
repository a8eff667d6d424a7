import assert from 'node:assert/strict'
import { appToCloud, createMessageChecker, decode, encode, glassesToCloud } from '@glasses-cloud/contract'
import { createAppDefinition, SessionRig } from '../../../src/session/testing/session-rig.ts'
import { fromApp, fromGlasses, messagesIn } from '../../support/message-examples/index.ts'
import type { FuzzTarget } from '../target.ts'

const APP = 'dev.example.table'

const checkFromGlasses = createMessageChecker(glassesToCloud)
const checkFromApp = createMessageChecker(appToCloud)

const glassesMessages = messagesIn(fromGlasses)
const appMessages = messagesIn(fromApp)

const fromGlassesLine = (message: (typeof glassesMessages)[number]) => `g${encode(message, 'flat')}`
const fromAppLine = (message: (typeof appMessages)[number]) => `a${encode(message, 'flat')}`
const ALL_STREAMS = `a${JSON.stringify({ type: 'subscription_update', subscriptions: [...Object.keys(glassesToCloud), 'audio_chunk', 'transcription:en-US', 'location_stream'] })}`

/**
 * A session with glasses and an app: what the messages do. Each line of an input begins with its kind: `g` a message of
 * the glasses, `a` one of the app, `t` lets that many milliseconds pass, `c` connects the glasses again, `b` is audio.
 */
export const target: FuzzTarget = {
  maxBytes: 8 * 1024,
  open: () => ({
    seeds: [
      ...glassesMessages.map((message) => `${ALL_STREAMS}\n${fromGlassesLine(message)}\nt1000`),
      ...appMessages.map((message) => `${fromAppLine(message)}\nt1000`),
      ...glassesMessages.map((message, index) => {
        const asked = appMessages[index % appMessages.length]
        return `${asked ? fromAppLine(asked) : ''}\n${fromGlassesLine(message)}\nc\nt60000`
      }),
      `${ALL_STREAMS}\nbabcdef\nt5000`,
    ],
    dictionary: [
      ...[...Object.keys(glassesToCloud), ...Object.keys(appToCloud)].map((type) => `"type":"${type}"`),
      ...[
        '\n',
        '\ng{"type":"',
        '\na{"type":"',
        '\nt30000',
        '\nc',
        '"requestId":"x"',
        '"__proto__":{',
        'null',
        '-1',
        '1e308',
        '""',
        '{}',
        '[]',
      ],
    ],
    run(input) {
      const rig = new SessionRig([createAppDefinition(APP, { appType: 'STANDARD' })])
      let glasses = rig.connectGlasses()
      const app = rig.runApp(APP)
      for (const line of input.toString('utf8').split('\n').slice(0, 60)) {
        const content = line.slice(1)
        if (line.startsWith('t'))
          rig.clock.advance(Math.min(Math.abs(Number.parseInt(content, 10)) || 0, 120_000))
        else if (line.startsWith('c')) glasses = rig.connectGlasses()
        else if (line.startsWith('b')) {
          const pcm = Buffer.from(content)
          rig.session.handleGlassesAudio(glasses, pcm.subarray(0, pcm.length & ~1))
        } else {
          const decoded = decode(content)
          if (!decoded.ok) continue
          if (line.startsWith('a')) {
            const checked = checkFromApp(decoded.message)
            if (checked.kind === 'known') rig.session.handleAppMessage(APP, app, checked.message)
          } else {
            const checked = checkFromGlasses(decoded.message)
            if (checked.kind === 'known') rig.session.handleGlassesMessage(glasses, checked.message)
            else if (checked.kind === 'unknown')
              rig.session.handleUnknownGlassesMessage(glasses, checked.message)
          }
        }
        rig.flush()
        if (rig.endCount > 0) break
        // What is sent can be encoded.
        for (const message of [...glasses.sent.splice(0), ...app.sent.splice(0)]) {
          assert.equal(typeof message.type, 'string')
          assert.ok(encode(message, 'envelope').length < 1_000_000)
        }
      }
      // An exception would have ended the session, which the rig throws.
      rig.session.end()
      rig.clock.advance(600_000)
      assert.equal(rig.endCount, 1)
    },
  }),
}
