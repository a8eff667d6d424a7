import { createCloud } from '@glasses-cloud/cloud'
import { readConfig } from '@glasses-cloud/cloud/config'
import { answerCommon, type Question } from './ask.ts'

// The cloud under a benchmark: no limits on sound, so that the relay can be driven as fast as it goes.
const cloud = await createCloud(readConfig(process.env), {
  limits: { audioBytesPerSecond: Number.POSITIVE_INFINITY, messagesPerSecond: Number.POSITIVE_INFINITY },
})

/** Makes the benchmarks' app, with a new key, and users numbered from `first`, with a token each. */
async function makeUsers(first: number, count: number, appUrl: string) {
  const { users, tokens } = cloud
  const { createOperator } = await import('@glasses-cloud/cloud/operator')
  const { registerApp } = await import('@glasses-cloud/cloud/register-app')
  const { parseManifest } = await import('@glasses-cloud/contract')
  const reading = parseManifest({
    packageName: 'bench.app',
    name: 'Bench',
    publicUrl: appUrl,
    appType: 'BACKGROUND',
    appStoreStatus: 'PUBLISHED',
    permissions: [{ type: 'MICROPHONE', description: 'bench' }],
  })
  if (!reading.ok) throw new Error(reading.problems.join('; '))
  const { apiKey } = await registerApp(createOperator(cloud.db, tokens), reading.manifest, { rotate: true })
  const made: string[] = []
  for (let index = 0; index < count; index += 1) {
    const user = await users.findOrCreate(`wearer${first + index}@bench.example`, Date.now())
    made.push(tokens.issue(user))
  }
  return { apiKey, tokens: made }
}

process.on('message', async (question: Question) => {
  const answer =
    question.ask === 'users'
      ? await makeUsers(question.first, question.count, question.appUrl)
      : answerCommon(question)
  process.send?.({ answer })
})
process.send?.({ port: cloud.port })
