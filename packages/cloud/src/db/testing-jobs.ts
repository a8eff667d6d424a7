import { UserStore } from '../identity/index.ts'
import { type Database, type DatabaseOptions, openDatabase } from './database.ts'

/** Jobs that tests run in two processes at the same time, each with its own name. */
export const jobs = {
  /** Creates a user with that name. */
  async user(db: Database, name: string): Promise<void> {
    await new UserStore(db).findOrCreate(`${name}@example.com`, 1)
  },

  /** Adds thirty fields to the profile of a shared user. */
  async fields(db: Database, name: string): Promise<void> {
    const users = new UserStore(db)
    const { id } = await users.findOrCreate('shared@example.com', 1)
    for (let n = 0; n < 30; n++) await users.update(id, { profile: { [`${name}${n}`]: 'x' } }, n)
  },

  /** Increments a column of a shared row a hundred times, in transactions that start with a read. */
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

/** The database and the job of a child process. */
export interface ChildTask {
  readonly options: DatabaseOptions
  readonly job?: keyof typeof jobs
}

/** In the child: opens the database, prints `open`, runs the job on input, prints `done`, and exits when stdin ends. */
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
