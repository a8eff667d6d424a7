import { delay, systemClock } from '../../clock.ts'
import type { Scenario } from '../scenario.ts'

const SENTENCES = [
  'Good morning, and welcome to the workshop.',
  'Each word appears on the display while the sentence is still being spoken.',
  'The captions app uses the public app SDK and needs no change for this cloud.',
]

/** From speech to text on the display. */
export const captions: Scenario = {
  title: 'Live captions: speech as text on the display',
  async run(demo, { wordMs, readMs }) {
    const { screen } = demo
    screen.narrate('Registering and starting the captions app …')
    const packageName = await demo.startApp('captions')

    screen.narrate('A user puts on glasses; the phone connects.')
    const { glasses, phone } = await demo.connectMainUser('ada@example.com')
    screen.showDisplay(glasses.display.lines)

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

    screen.narrate('The user stops the app, and the display is cleared.')
    await phone.stopApp(packageName)
    await glasses.waitForMessage('app_stopped', (message) => message.packageName === packageName)
    await glasses.waitForDisplay(/^$/)
  },
}
