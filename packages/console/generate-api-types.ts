/**
 * Generates `src/api/schema.d.ts`, the types of the REST interface, from the OpenAPI document of a cloud that it starts.
 * `npm run check` runs it before the type check.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'

const CLOUD = fileURLToPath(new URL('../cloud/src/main.ts', import.meta.url))
const OUTPUT = new URL('./src/api/schema.d.ts', import.meta.url)

/** Returns the URL that a cloud prints when it serves. */
async function readyUrl(lines: AsyncIterable<string>): Promise<string> {
  const printed: string[] = []
  for await (const line of lines) {
    const url = /is ready at (\S+?)\/?(?:\s|$)/.exec(line)?.[1]
    if (url !== undefined) return url
    printed.push(line)
  }
  throw new Error(`The cloud has not started:\n${printed.join('\n')}`)
}

const dataDir = await mkdtemp(join(tmpdir(), 'api-types-'))
const cloud = spawn(process.execPath, [CLOUD], {
  env: { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent', STREAM_PROVIDER: 'none', SAMPLE_APP: 'off' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const exited = once(cloud, 'exit')
try {
  const url = await readyUrl(createInterface({ input: cloud.stdout }))
  const response = await fetch(`${url}/openapi.json`)
  if (!response.ok) throw new Error(`GET /openapi.json responded with ${response.status}`)
  const types = await openapiTS(JSON.stringify(await response.json()), { silent: true })
  await writeFile(OUTPUT, astToString(types))
} finally {
  cloud.kill()
  await exited
  await rm(dataDir, { recursive: true })
}
