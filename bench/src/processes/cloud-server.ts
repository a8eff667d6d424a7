import { createCloud } from '@glasses-cloud/cloud'
import { readConfig } from '@glasses-cloud/cloud/config'
import { type Command, runCommonCommand } from './commands.ts'

// The cloud under test, without limits on messages and audio, so that the load determines the rate.

const cloud = await createCloud(readConfig(process.env), {
  limits: { audioBytesPerSecond: Number.POSITIVE_INFINITY, messagesPerSecond: Number.POSITIVE_INFINITY },
})

/** Registers the app of the benchmarks, or replaces its API key. */
async function registerBenchApp(appUrl: string): Promise<string> {
  const { createOperator } = await import('@glasses-cloud/cloud/operator')
  const { registerApp } = await import('@glasses-cloud/cloud/register-app')
  const { parseManifest } = await import('@glasses-cloud/contract')
  const result = parseManifest({
    packageName: 'bench.app',
    name: 'Bench',
    publicUrl: appUrl,
    appType: 'BACKGROUND',
    appStoreStatus: 'PUBLISHED',
    permissions: [{ type: 'MICROPHONE', description: 'Benchmarks' }],
  })
  if (!result.ok) throw new Error(result.problems.join('; '))
  const operator = createOperator(cloud.db, cloud.tokens)
  const { apiKey } = await registerApp(operator, result.manifest, { rotate: true })
  if (apiKey === null) throw new Error('The registration returned no API key')
  return apiKey
}

async function run(command: Command): Promise<unknown> {
  if (command.command === 'register-app') return registerBenchApp(command.appUrl)
  if (command.command === 'seed') {
    const { seed } = await import('./seed-store.ts')
    await seed(cloud.db, command.counts)
    return 0
  }
  const result = runCommonCommand(command)
  if (result === undefined) throw new Error(`The cloud does not support ${command.command}`)
  return result
}

process.on('message', async (command: Command) => process.send?.({ result: await run(command) }))
process.send?.({ port: cloud.port })
