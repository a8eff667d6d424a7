import { Glasses, PhoneApi } from '@glasses-cloud/phone'
import type { Scope } from '../support/scope.ts'
import { SdkApp } from '../support/sdk-app.ts'
import type { LocalCloud } from '../support/test-cloud.ts'

/** The columns of the matrix. */
export const FEATURES = [
  'start',
  'display',
  'transcription',
  'button',
  'speech',
  'photo',
  'failed photo',
  'no errors',
  'stop',
] as const

/** Whether a feature works. */
export type Row = Readonly<Record<(typeof FEATURES)[number], boolean>>

/** Lines of the app's error handler, and errors that the versions of the SDK log in their two formats. */
const ERROR_LINE = /^ERROR|^\[[^\]]+\] (ERROR|FATAL):|^MentraOS {2}✗/

const WAIT = { timeoutMs: 20_000 }

/** Runs one app on a version of the SDK and tries each feature. */
export async function checkVersion(
  scope: Scope,
  cloud: LocalCloud,
  version: string,
  root: string,
  kind: 'AppServer' | 'MiniAppServer',
): Promise<Row> {
  const packageName = `sdk.${kind.toLowerCase()}.v${version.replaceAll(/[.-]/g, '-')}`
  const env = { SDK_ROOT: root, KIND: kind === 'MiniAppServer' ? 'mini' : 'app' }
  const permissions = [{ type: 'MICROPHONE' as const }, { type: 'CAMERA' as const }]
  const program = new URL('./sdk-app.ts', import.meta.url)
  const { app } = await SdkApp.register(scope, cloud, program, { packageName, permissions }, env)
  const token = await cloud.token(`${packageName}@example.org`)
  const glasses = new Glasses({ url: cloud.url, token, reconnect: false })
  scope.after(() => glasses.disconnect())
  await glasses.connect()
  glasses.putOn('Mentra Live')
  const phone = new PhoneApi({ url: cloud.url, token })
  const works = (attempt: Promise<unknown>) =>
    attempt.then(
      () => true,
      () => false,
    )

  const start = await works(phone.startApp(packageName))
  const display = await works(glasses.waitForDisplay('ready', WAIT))
  await works(glasses.waitForMicrophone('transcription', WAIT))
  glasses.reportBattery(42)
  await glasses.speak('good morning')
  const transcription = await works(glasses.waitForDisplay('heard good morning', WAIT))
  glasses.pressButton('camera', 'long')
  const speech = await works(
    glasses.waitForMessage(
      'audio_play_request',
      ({ audioUrl }) => String(audioUrl).startsWith(`${cloud.url}/api/tts?text=good+evening`),
      WAIT,
    ),
  )
  glasses.pressButton()
  const photo = await works(glasses.waitForDisplay('photo of some bytes', WAIT))
  // Some versions log the failure of a photo as an error.
  const hasErrors = app.lines.some((line) => ERROR_LINE.test(line))
  glasses.camera = { kind: 'fail', errorCode: 'CAMERA_BUSY', errorMessage: 'a video is recorded' }
  glasses.pressButton()
  // The SDK gives up by itself after 30 s.
  const failed = await works(glasses.waitForDisplay('no photo: ', WAIT))
  const stop = await works(phone.stopApp(packageName))
  return {
    start,
    display,
    transcription,
    button: speech || photo,
    speech,
    photo,
    'failed photo': failed,
    'no errors': !hasErrors,
    stop,
  }
}

/** The rows of a version, by what its app is built on. */
export function kindsOf(version: string): ('AppServer' | 'MiniAppServer')[] {
  return version === '3.0.0-alpha.4' ? ['AppServer', 'MiniAppServer'] : ['AppServer']
}
