import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createPrivateFile, isBusy } from './sqlite.ts'

const LOCK_FILE = 'server.lock'

/** How long a start waits for the lock, and for another process that is writing who it is. */
const WAIT_MS = 1_000

/** Locks of this process. They are kept, because an unreachable connection closes. */
const held: DatabaseSync[] = []

interface Owner {
  readonly process: number
  readonly host: string
  readonly since: string
}

/**
 * Makes this process the only server of a data folder, until it ends: the operating system then removes the lock, however
 * that happens, and whether or not the next process has the same id, as in a container. Commands need no lock.
 *
 * A folder that cannot be written to is not locked, since no server can use it, and neither is one on a file system without
 * locks: SQLite reports both.
 * @throws Error with a message for the operator if another process has it
 */
export function lockDataFolder(dataDir: string): void {
  let connection: DatabaseSync | undefined
  try {
    const file = join(dataDir, LOCK_FILE)
    createPrivateFile(file)
    connection = new DatabaseSync(file, { timeout: WAIT_MS })
    connection.exec('begin immediate')
    connection.exec(
      'create table if not exists owner (process integer, host text, since text); delete from owner',
    )
    connection
      .prepare('insert into owner values (?, ?, ?)')
      .run(process.pid, hostname(), new Date().toISOString())
    // Others can read the row once it is committed. They cannot write while this transaction is open.
    connection.exec('commit; begin immediate')
    held.push(connection)
  } catch (error) {
    if (isBusy(error) && connection) throw new Error(explain(dataDir, connection))
    connection?.close()
  }
}

function explain(dataDir: string, connection: DatabaseSync): string {
  const owner = readOwner(connection)
  connection.close()
  const name = owner
    ? `process ${owner.process} on ${owner.host}, started at ${owner.since}`
    : 'another process'
  return `The data folder ${dataDir} is used by the server that is ${name}. Stop that one first, or set DATA_DIR to another folder.`
}

function readOwner(connection: DatabaseSync): Owner | undefined {
  try {
    return connection.prepare('select * from owner').get() as Owner | undefined
  } catch {
    // It is being written for the first time.
    return undefined
  }
}
