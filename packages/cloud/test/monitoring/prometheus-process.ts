import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { findProgram } from '../../src/config/index.ts'
import { findFreePort } from '../../src/http/free-port.ts'
import { skipIfMissing } from '../support/optional-part.ts'
import type { Scope } from '../support/scope.ts'

/** Why tests with Prometheus are skipped; false if its programs are installed. */
export const prometheusMissing = skipIfMissing(
  findProgram('prometheus') === undefined || findProgram('promtool') === undefined
    ? 'prometheus is not installed (apt-get install prometheus)'
    : undefined,
)

/**
 * Starts the program `prometheus` with the file `prometheus.yml` of a folder, in which it also keeps its data; the scope
 * ends it.
 * @returns the URL of its API, which may not respond yet
 */
export async function startPrometheusProcess(scope: Scope, folder: string): Promise<string> {
  const port = await findFreePort()
  const server = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  const exited = once(server, 'exit')
  scope.after(async () => {
    server.kill()
    await exited
  })
  return `http://127.0.0.1:${port}/api/v1`
}
