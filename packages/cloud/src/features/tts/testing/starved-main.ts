import { closeSync, openSync } from 'node:fs'
import { espeak } from '../espeak.ts'

/**
 * Speaks where the machine has room for no more than so many open files, and prints what came of it for each. Run it
 * with a low limit of open files.
 */
const files: number[] = []
const fill = () => {
  try {
    for (;;) files.push(openSync('/dev/null', 'r'))
  } catch {
    // Full.
  }
}
const request = { text: 'Hello', voice: 'en', model: undefined, settings: {} }
const speech = espeak({ voice: undefined })
const outcomes = new Set<string>()
for (let room = 0; room < 30; room += 1) {
  fill()
  for (const file of files.splice(0, room)) closeSync(file)
  const letGo = new AbortController()
  const outcome = await speech.synthesize(request, letGo.signal).then(
    () => 'begun',
    (error: Error) => error.name,
  )
  outcomes.add(outcome)
  letGo.abort()
  // Whatever the programs still say comes before the next.
  await new Promise((resolve) => setTimeout(resolve, 20))
}
for (const file of files) closeSync(file)
console.log([...outcomes].join(' '))
