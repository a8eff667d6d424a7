/**
 * Generates `src/api/schema.d.ts`, the types of the REST interface, from the OpenAPI document of a cloud that it starts.
 * `npm run check` runs it before the type check.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { startCloud } from './start-cloud.ts'

const OUTPUT = new URL('./src/api/schema.d.ts', import.meta.url)

const dataDir = await mkdtemp(join(tmpdir(), 'api-types-'))
try {
  await using cloud = await startCloud({
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    STREAM_PROVIDER: 'none',
    SAMPLE_APP: 'off',
  })
  const response = await fetch(`${cloud.url}/openapi.json`)
  if (!response.ok) throw new Error(`GET /openapi.json responded with ${response.status}`)
  const types = await openapiTS(JSON.stringify(await response.json()), { silent: true })
  await writeFile(OUTPUT, astToString(types))
} finally {
  await rm(dataDir, { recursive: true })
}
