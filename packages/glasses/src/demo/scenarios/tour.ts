import { delay } from '../../audio/send-audio.ts'
import { systemClock } from '../../clock.ts'
import type { Scenario } from '../scenario.ts'
import { describeStep, performStep, sampleCalendarEvent } from '../tour-user.ts'

/** Everything an app on the app SDK can do, step by step. */
export const tour: Scenario = {
  title: 'A tour of everything an app can do',
  cloudEnv: { STREAM_PROVIDER: 'memory' },
  async run(theatre, { wordMs, readMs }) {
    const { screen } = theatre
    screen.narrate('Two apps are registered and started: the tour, and the dashboard it writes on.')
    const dashboard = await theatre.startApp('dashboard')
    const packageName = await theatre.startApp('tour')

    screen.narrate('Somebody takes the tour already, who will be company.')
    const companion = await theatre.connectSecondUser('companion@example.com')
    await companion.phone.install(packageName)
    await companion.phone.startApp(packageName)

    screen.narrate('The wearer puts on glasses and starts both apps.')
    const { glasses, phone } = await theatre.connectMainUser('wearer@example.com', {
      model: 'Even Realities G1',
    })
    await phone.sendCalendar([sampleCalendarEvent()])
    await phone.startApp(dashboard)
    await phone.install(packageName)
    await phone.startApp(packageName)
    await glasses.waitForDisplay('Press the button')

    const ready = await theatre.waitForLogLine(/^tour: ready, /)
    for (const step of ready.slice(ready.lastIndexOf(': ') + 2).split('; ')) {
      screen.narrate(describeStep(step))
      await performStep(step, { glasses, phone, packageName, wordMs })
      const outcome = await theatre.waitForLogLine(new RegExp(`^tour: ${step} (ok|failed|not configured): `))
      if (outcome.includes(`${step} failed: `)) throw new Error(`A step went wrong. ${outcome}`)
      screen.narrate(outcome.slice('tour: '.length))
      // There are many steps, and each is short.
      await delay(systemClock, readMs / 2)
    }
    screen.narrate('The tour has left by itself; the lens is clear again.')
    await glasses.waitForDisplay(/^$/)
  },
}
