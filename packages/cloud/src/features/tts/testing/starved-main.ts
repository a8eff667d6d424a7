import { closeSync, openSync } from 'node:fs'
import { espeak } from '../espeak.ts'

/**
 * Synthesizes with 0 to 29 available file descriptors and prints the distinct outcomes. Run it with a low limit of
 * open files.
 */
const files: number[] = []
const fill = () => {
  try {
    for (;;) files.push(openSync('/dev/null', 'r'))
  } catch {
    // The limit is reached.
  }
}
const request = { text: 'Hello', voice: 'en', model: undefined, settings: {} }
const speech = espeak({ voice: undefined })
const outcomes = new Set<string>()
for (let available = 0; available < 30; available += 1) {
  fill()
  for (const file of files.splice(0, available)) closeSync(file)
  const controller = new AbortController()
  const outcome = await speech.synthesize(request, controller.signal).then(
    () => 'begun',
    (error: Error) => error.name,
  )
  outcomes.add(outcome)
  controller.abort()
  // The programs must exit before the next synthesis.
  await new Promise((resolve) => setTimeout(resolve, 20))
}
for (const file of files) closeSync(file)
console.log([...outcomes].join(' '))
