import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../src/config/index.ts'
import { findFreePort } from '../../src/http/free-port.ts'
import { skipIfMissing } from './optional-part.ts'
import { CleanUpStack, type Scope } from './scope.ts'
import { waitFor } from './wait-for.ts'

/** Why tests behind a connection pooler are skipped; false if the program `pgbouncer` is installed. */
export const pgbouncerMissing = skipIfMissing(
  findProgram('pgbouncer') === undefined
    ? 'pgbouncer is not installed (apt-get install pgbouncer)'
    : undefined,
)

/**
 * Starts PgBouncer in transaction mode in front of the server of a database; the scope kills it.
 * @returns the URL of the database through it
 */
export async function startPgBouncer(scope: Scope, databaseUrl: string): Promise<string> {
  const cleanUp = new CleanUpStack(scope)
  const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-pgbouncer-'))
  cleanUp.after(() => rm(folder, { recursive: true, force: true }))
  const server = new URL(databaseUrl)
  const port = await findFreePort()
  const password = server.password === '' ? '' : ` password=${decodeURIComponent(server.password)}`
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    [
      '[databases]',
      `* = host=${server.hostname} port=${server.port || 5432} user=${server.username}${password}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'default_pool_size = 4',
      '',
    ].join('\n'),
  )
  // It does not run as root.
  await chmod(folder, 0o755)
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const pooler = spawn('pgbouncer', ['-q', ...asUser, file], { stdio: 'ignore' })
  const exited = once(pooler, 'exit')
  cleanUp.after(async () => {
    pooler.kill('SIGKILL')
    await exited
  })
  await waitFor('the start of PgBouncer', async () => {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return true
    } finally {
      socket.destroy()
    }
  })
  const url = new URL(server)
  url.host = `127.0.0.1:${port}`
  return url.href
}
