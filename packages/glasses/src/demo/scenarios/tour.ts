import { pause } from '../../audio/play.ts'
import { systemClock } from '../../clock.ts'
import type { Scenario } from '../scenario.ts'
import { appointment, sceneOf, takeStep } from '../tour-wearer.ts'

/** Everything an app on the app SDK can do, step by step. */
export const tour: Scenario = {
  title: 'A tour of everything an app can do',
  cloud: { STREAM_PROVIDER: 'memory' },
  async play(theatre, { wordMs, readMs }) {
    const { stage } = theatre
    stage.narrate('Two apps are registered and started: the tour, and the dashboard it writes on.')
    const dashboard = await theatre.app('dashboard')
    const packageName = await theatre.app('tour')

    stage.narrate('Somebody takes the tour already, who will be company.')
    const companion = await theatre.passerBy('companion@example.com')
    await companion.phone.install(packageName)
    await companion.phone.startApp(packageName)

    stage.narrate('The wearer puts on glasses and starts both apps.')
    const { glasses, phone } = await theatre.wearer('wearer@example.com', { model: 'Even Realities G1' })
    await phone.calendar([appointment()])
    await phone.startApp(dashboard)
    await phone.install(packageName)
    await phone.startApp(packageName)
    await glasses.waitForLens('Press the button')

    const ready = await theatre.line(/^tour: ready, /)
    for (const step of ready.slice(ready.lastIndexOf(': ') + 2).split('; ')) {
      stage.narrate(sceneOf(step))
      await takeStep(step, { glasses, phone, packageName, wordMs })
      const outcome = await theatre.line(new RegExp(`^tour: ${step} (ok|failed|not configured): `))
      if (outcome.includes(`${step} failed: `)) throw new Error(`A step went wrong. ${outcome}`)
      stage.narrate(outcome.slice('tour: '.length))
      // There are many steps, and each is short.
      await pause(systemClock, readMs / 2)
    }
    stage.narrate('The tour has left by itself; the lens is clear again.')
    await glasses.waitForLens(/^$/)
  },
}
