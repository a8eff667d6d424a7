import { delay, systemClock } from '../../clock.ts'
import { describeStep, performStep, sampleCalendarEvent } from '../tour-user.ts'
import type { Scenario } from './captions.ts'

/** Every capability of the app SDK, step by step. */
export const tour: Scenario = {
  title: 'Tour: everything an app can do, step by step',
  cloudEnv: { STREAM_PROVIDER: 'memory' },
  async run(demo, { wordMs, readMs }) {
    const { screen } = demo
    screen.narrate('Registering and starting two apps: the tour and the system dashboard …')
    const dashboard = await demo.startApp('dashboard')
    const packageName = await demo.startApp('tour')

    screen.narrate('A second user starts the tour, to exchange messages with.')
    const secondUser = await demo.connectSecondUser('grace@example.com')
    await secondUser.phone.install(packageName)
    await secondUser.phone.startApp(packageName)

    screen.narrate('The user puts on glasses and starts both apps.')
    const { glasses, phone } = await demo.connectMainUser('ada@example.com', { model: 'Even Realities G1' })
    await phone.sendCalendar([sampleCalendarEvent()])
    await phone.startApp(dashboard)
    await phone.install(packageName)
    await phone.startApp(packageName)
    await glasses.waitForDisplay('Press the button')

    const ready = await demo.waitForLogLine(/^tour: ready, /)
    for (const step of ready.slice(ready.lastIndexOf(': ') + 2).split('; ')) {
      screen.narrate(describeStep(step))
      await performStep(step, { glasses, phone, packageName, wordMs })
      const outcome = await demo.waitForLogLine(new RegExp(`^tour: ${step} (ok|failed|not configured): `))
      if (outcome.includes(`${step} failed: `)) throw new Error(`A step of the tour failed. ${outcome}`)
      screen.narrate(outcome.slice('tour: '.length))
      // Half the time: there are many steps, and each is short.
      await delay(systemClock, readMs / 2)
    }
    screen.narrate('The tour app has disconnected, and the display is cleared.')
    await glasses.waitForDisplay(/^$/)
  },
}
