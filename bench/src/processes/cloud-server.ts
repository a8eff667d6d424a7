import { createCloud } from '@glasses-cloud/cloud'
import { readConfig } from '@glasses-cloud/cloud/config'
import { type Command, runCommonCommand } from './commands.ts'
import { seed } from './seed-store.ts'

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
  const operator = createOperator(cloud.db, cloud.tokens, cloud.secrets)
  const { apiKey } = await registerApp(operator, result.manifest, Date.now(), { rotate: true })
  return apiKey
}

/** Creates an input for each list of outputs, as sessions do. */
async function createInputs(outputs: readonly (readonly string[])[]): Promise<string[]> {
  const streaming = cloud.features.video.streams.forUser('bench')
  if (!streaming) throw new Error(cloud.limitation ?? 'STREAM_PROVIDER is not set')
  return Promise.all(
    outputs.map(async (urls) => {
      const input = await new Promise<Parameters<Parameters<typeof streaming.createInput>[0]>[0]>((resolve) =>
        streaming.createInput(resolve),
      )
      if (!input.ok) throw new Error(input.message)
      const { inputId, ingestUrl } = input.value
      await Promise.all(
        urls.map((url) => new Promise((resolve) => streaming.addOutput(inputId, url, resolve))),
      )
      return ingestUrl
    }),
  )
}

async function run(command: Command): Promise<unknown> {
  if (command.command === 'register-app') return registerBenchApp(command.appUrl)
  if (command.command === 'create-inputs') return createInputs(command.outputs)
  if (command.command === 'seed') {
    await seed(cloud.db, command.counts)
    return 0
  }
  const result = runCommonCommand(command)
  if (result === undefined) throw new Error(`The cloud does not support ${command.command}`)
  return result
}

process.on('disconnect', () => process.exit())
process.on('message', async (command: Command) => process.send?.({ result: await run(command) }))
process.send?.({ port: cloud.port })
