import { delay, systemClock } from '../../clock.ts'
import type { DemoCloudOptions, DemoEnvironment, DemoUser } from '../demo-environment.ts'

/** A script that the demo runs. */
export interface Scenario extends DemoCloudOptions {
  /** One line about what it shows. */
  readonly title: string
  /** Runs the scenario; rejects if an expected effect does not occur. */
  readonly run: (demo: DemoEnvironment, pace: Pace) => Promise<void>
}

/** Speed of a scenario, for an audience or for tests. */
export interface Pace {
  /** Milliseconds between two recognized words. */
  readonly wordMs: number
  /** Milliseconds to read what the display shows. */
  readonly readMs: number
}

const SENTENCES = [
  'Good morning, and welcome to the workshop.',
  'Each word appears on the display while the sentence is still being spoken.',
  'The captions app uses the public app SDK and needs no change for this cloud.',
]

/** Sentences that the local recognizer recognizes word for word. */
const SPOKEN_SENTENCES = ['the meeting starts at seven in the evening', 'good morning everyone']
const RECOGNITION = { timeoutMs: 20_000 }

/** From speech to text on the display: first recognized by the phone, then from sound on this machine. */
export const captions: Scenario = {
  title: 'Live captions: speech as text on the display',
  hasRecognizer: true,
  async run(demo, { wordMs, readMs }) {
    const { screen } = demo
    screen.narrate('Registering and starting the captions app …')
    const packageName = await demo.startApp('captions')

    screen.narrate('A user puts on glasses; the phone connects.')
    const { glasses, phone } = await demo.connectMainUser('ada@example.com')
    screen.showDisplay(glasses.display.lines)

    // The phone recognizes the first sentences, whatever is installed on this machine.
    const setting = { settings: { enforce_local_transcription: true } }
    await phone.request('POST', '/api/client/user/settings', setting)

    screen.narrate('The user installs and starts the app.')
    await phone.install(packageName)
    await phone.startApp(packageName)
    await glasses.waitForDisplay('Ready')
    await glasses.waitForMicrophone('transcription')
    await delay(systemClock, readMs)

    for (const sentence of SENTENCES) {
      screen.narrate(`Someone says: “${sentence}”`)
      await glasses.speak(sentence, { wordMs })
      await glasses.waitForDisplay(sentence)
      await delay(systemClock, readMs)
    }

    await captionSound(demo, { glasses, phone }, readMs)

    screen.narrate('The user stops the app, and the display is cleared.')
    await phone.stopApp(packageName)
    await glasses.waitForMessage('app_stopped', (message) => message.packageName === packageName)
    await glasses.waitForDisplay(/^$/)
  },
}

/** Captions from the sound of a voice, if this machine has a voice and a recognizer. */
async function captionSound(
  demo: DemoEnvironment,
  { glasses, phone }: DemoUser,
  readMs: number,
): Promise<void> {
  const { screen } = demo
  // Sound is played in real time, so one sentence suffices if nobody watches.
  const sentences = readMs === 0 ? SPOKEN_SENTENCES.slice(-1) : SPOKEN_SENTENCES
  const sounds = await Promise.all(sentences.map((sentence, index) => demo.speakAloud(sentence, index)))
  if (sounds.includes(undefined) || !(await demo.startRecognizer())) {
    screen.narrate(
      'Captions from sound need a voice and a local recognizer: apt-get install flite pocketsphinx pocketsphinx-en-us',
    )
    return delay(systemClock, readMs)
  }
  screen.narrate('Now the cloud recognizes the sound itself, on this machine.')
  const setting = { settings: { enforce_local_transcription: false } }
  await phone.request('POST', '/api/client/user/settings', setting)
  await glasses.waitForMicrophone('pcm', RECOGNITION)
  for (const [index, sound] of sounds.entries()) {
    const sentence = sentences[index] ?? ''
    screen.narrate(`A voice says: “${sentence}”`)
    if (sound) await glasses.playAudio(sound)
    // The end of the sentence is in one line, wherever the display breaks it.
    await glasses.waitForDisplay(sentence.split(' ').slice(-1)[0] ?? '', RECOGNITION)
    await delay(systemClock, readMs)
  }
}
