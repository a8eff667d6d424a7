import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNextStep } from './next-step.ts'

const noApps = { visible: 0, installed: 0, starting: 0, running: 0 }

test('the next step follows the glasses, the apps and what is listened to', () => {
  const stepOf = (
    connection: Parameters<typeof findNextStep>[0]['connection'],
    apps?: Partial<typeof noApps>,
    ...requiredData: string[]
  ) => findNextStep({ connection, requiredData }, apps && { ...noApps, ...apps })
  const worn = 'connected'
  const running = { visible: 2, installed: 1, running: 1 }
  assert.deepEqual(
    [
      stepOf('disconnected', running),
      stepOf('connecting', running),
      stepOf('reconnecting', running),
      stepOf(worn),
      stepOf(worn, {}),
      stepOf(worn, { visible: 2 }),
      stepOf(worn, { visible: 2, installed: 1 }),
      stepOf(worn, { visible: 2, installed: 1, starting: 1 }),
      stepOf(worn, running),
      stepOf(worn, running, 'pcm'),
      stepOf(worn, running, 'transcription'),
      stepOf(worn, running, 'pcm', 'transcription'),
      stepOf(worn, running, 'pcm_or_transcription'),
    ],
    [
      'put-on',
      'connecting',
      'reconnecting',
      'loading',
      'find-app',
      'install-app',
      'start-app',
      'starting',
      'not-listening',
      'use-microphone',
      'speak',
      'speak',
      'speak',
    ],
  )
})
