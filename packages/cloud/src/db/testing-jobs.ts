import { UserStore } from '../identity/index.ts'
import { type Database, type DatabaseOptions, openDatabase } from './database.ts'

/** What tests let two processes do to one database. Each process calls itself by a name of its own. */
export const jobs = {
  /** Makes a user of that name. */
  async user(db: Database, name: string): Promise<void> {
    await new UserStore(db).findOrCreate(`${name}@example.com`, 1)
  },

  /** Adds thirty fields to the profile of one user both share. */
  async fields(db: Database, name: string): Promise<void> {
    const users = new UserStore(db)
    const { id } = await users.findOrCreate('shared@example.com', 1)
    for (let n = 0; n < 30; n++) await users.update(id, { profile: { [`${name}${n}`]: 'x' } }, n)
  },

  /** Counts to a hundred in a row both share, in transactions that begin by reading. */
  async count(db: Database): Promise<void> {
    const { id } = await new UserStore(db).findOrCreate('shared@example.com', 1)
    for (let n = 0; n < 100; n++)
      await db.transaction().execute(async (trx) => {
        const user = await new UserStore(trx).findById(id)
        const updated_at = (user?.updatedAt ?? 0) + 1
        await trx.updateTable('users').set({ updated_at }).where('id', '=', id).execute()
      })
  },
} satisfies Record<string, (db: Database, name: string) => Promise<void>>

/** Which job a child process does, and where. */
export interface ChildTask {
  readonly options: DatabaseOptions
  readonly job?: keyof typeof jobs
}

/** The child: opens the database, says so, does its job when asked, says so, and stays until its input ends. */
if (process.argv[1] === import.meta.filename) {
  const task: ChildTask = JSON.parse(process.argv[2] ?? '{}')
  const db = await openDatabase(task.options)
  process.stdout.write('open\n')
  process.stdin.once('data', async () => {
    if (task.job) await jobs[task.job](db, 'child')
    process.stdout.write('done\n')
  })
  process.stdin.once('end', () => db.destroy())
}
