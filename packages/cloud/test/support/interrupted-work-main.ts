import { createCloud } from '../../src/cloud.ts'
import { readConfig } from '../../src/config/index.ts'
import { DeletionStore, Deletions, ExportStore, Exports } from '../../src/features/personal-data/index.ts'
import { UserStore } from '../../src/identity/index.ts'
import { JobRunStore } from '../../src/jobs/index.ts'
import type { UserRef } from '../../src/personal-data.ts'
import { systemClock } from '../../src/time/index.ts'
import type { InterruptedWork } from './interrupted-work.ts'

const work: InterruptedWork = JSON.parse(process.argv[2] ?? '')
const { db, log, blobs, bus, features } = await createCloud(readConfig(work.env))
const users = new UserStore(db)
const never = new Promise<never>(() => {})
const common = { users, clock: systemClock, log }

const found: UserRef[] = []
for (const email of work.exportFor ?? work.deletionOf ?? []) {
  const user = await users.findByEmail(email)
  if (user === undefined) throw new Error('unknown user')
  found.push(user)
}

if (work.exportFor) {
  // Replaces the cloud's own export job, which would complete too soon.
  await features.personalData.exports.stop()
  const exports = new Exports({
    ...common,
    store: new ExportStore(db),
    blobs,
    bus,
    runs: new JobRunStore(db),
    sections: [
      {
        name: 'interrupted',
        async *facts() {
          for (let n = 0; n < 10_000; n++) yield { key: `${n}`, value: 'x'.repeat(100) }
          console.log('half-way')
          await never
        },
      },
    ],
  })
  for (const { id } of found) await exports.request(id, 'json')
  exports.start()
} else {
  let interrupted = 0
  for (const [index, user] of found.entries()) {
    const interruption = {
      name: 'halt',
      phase: 'sessions' as const,
      async run() {
        if (++interrupted === found.length) console.log('half-way')
        await never
      },
    }
    const steps = [...features.personalData.deletions.steps.slice(0, index), interruption]
    const secret = work.env.AUTH_SECRET ?? ''
    new Deletions({ ...common, store: new DeletionStore(db), steps, secret }).delete(user)
  }
}
