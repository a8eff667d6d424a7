import { delay } from '../../audio/send-audio.ts'
import { systemClock } from '../../clock.ts'
import type { Scenario } from '../scenario.ts'

const SENTENCES = [
  'Good morning, and welcome to the workshop.',
  'Everything I say is on the lens before I have finished saying it.',
  'The app that writes it knows nothing of this cloud, only of its own kit.',
]

/** From a sound in the room to words on the lens. */
export const captions: Scenario = {
  title: 'Live captions: what is said in the room, on the lens',
  async run(theatre, { wordMs, readMs }) {
    const { screen } = theatre
    screen.narrate('An app is registered and started, as its developer would.')
    const packageName = await theatre.startApp('captions')

    screen.narrate('Somebody puts on glasses; the phone connects.')
    const { glasses, phone } = await theatre.connectMainUser('wearer@example.com')
    screen.showDisplay(glasses.display.lines)

    screen.narrate('The wearer installs the app and starts it.')
    await phone.install(packageName)
    await phone.startApp(packageName)
    await glasses.waitForDisplay('Ready')
    await glasses.waitForMicrophone(true)
    await delay(systemClock, readMs)

    for (const sentence of SENTENCES) {
      screen.narrate(`Somebody says: “${sentence}”`)
      await glasses.speak(sentence, { wordMs })
      await glasses.waitForDisplay(sentence)
      await delay(systemClock, readMs)
    }

    screen.narrate('The wearer stops the app; the lens is clear again.')
    await phone.stopApp(packageName)
    await glasses.waitForMessage('app_stopped', (message) => message.packageName === packageName)
    await glasses.waitForDisplay(/^$/)
  },
}
