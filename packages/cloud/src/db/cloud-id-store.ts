import { randomBytes } from 'node:crypto'
import type { Database } from './database.ts'

const KEY = 'id'

/** Returns the random id of the cloud, which all nodes on one database have in common; the first call creates it. */
export async function readCloudId(db: Database): Promise<string> {
  await db
    .insertInto('cloud')
    .values({ key: KEY, value: randomBytes(8).toString('hex') })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  const { value } = await db
    .selectFrom('cloud')
    .select('value')
    .where('key', '=', KEY)
    .executeTakeFirstOrThrow()
  return value
}
